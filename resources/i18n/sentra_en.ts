<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="id_ID">
<context>
    <name>ApprovalPage</name>
    <message>
        <source>Perlu persetujuan manajer.</source>
        <translation>A manager's approval is needed.</translation>
    </message>
    <message>
        <source>Diskon di atas {0} % perlu persetujuan manajer.</source>
        <translation>Discounts above {0} % need a manager's approval.</translation>
    </message>
    <message>
        <source>Diskon {0}</source>
        <translation>Discount {0}</translation>
    </message>
    <message>
        <source>Persetujuan manajer</source>
        <translation>Manager's approval</translation>
    </message>
    <message>
        <source>Login manajer</source>
        <translation>Manager's login</translation>
    </message>
    <message>
        <source>Kata sandi manajer</source>
        <translation>Manager's password</translation>
    </message>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Tampilkan kata sandi</source>
        <translation>Show the password</translation>
    </message>
    <message>
        <source>Kembali ke isian</source>
        <translation>Back to the form</translation>
    </message>
    <message>
        <source>Setujui</source>
        <translation>Approve</translation>
    </message>
</context>
<context>
    <name>BarFacts</name>
    <message>
        <source>Bentrok</source>
        <translation>Conflict</translation>
    </message>
    <message>
        <source>Tindakan</source>
        <translation>To do</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>Hari</source>
        <translation>Days</translation>
    </message>
    <message>
        <source>Tambahan</source>
        <translation>Extra</translation>
    </message>
    <message>
        <source>Bayar</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Batas</source>
        <translation>Until</translation>
    </message>
    <message>
        <source>Kembali</source>
        <translation>Return</translation>
    </message>
    <message>
        <source>sebagian; tambahannya belum dibayar</source>
        <translation>in part; the extension is not paid</translation>
    </message>
    <message>
        <source>{0}, menunggu bayar</source>
        <translation>{0}, awaiting payment</translation>
    </message>
    <message>
        <source>{0}, hari ini ke-{1}</source>
        <translation>{0}, today is day {1}</translation>
    </message>
    <message>
        <source>{0} ({1}), lalu hari tambahan dilepas</source>
        <translation>{0} ({1}), then the extra days are let go</translation>
    </message>
    <message>
        <source>{0}, lalu unit dilepas otomatis</source>
        <translation>{0}, then the unit is let go automatically</translation>
    </message>
    <message>
        <source>{0} · lewat {1}, tidak terlambat bila tambahannya dibayar</source>
        <translation>{0} · {1} past, not late once the extension is paid</translation>
    </message>
    <message>
        <source>siapkan dan serahkan unit</source>
        <translation>prepare and hand over the unit</translation>
    </message>
    <message>
        <source>serahkan unit ke pelanggan</source>
        <translation>hand the unit to the customer</translation>
    </message>
    <message>
        <source>terima kembali hari ini</source>
        <translation>take it back today</translation>
    </message>
    <message>
        <source>hubungi {0}</source>
        <translation>call {0}</translation>
    </message>
    <message>
        <source>hubungi pelanggan, terima kembali</source>
        <translation>call the customer, take it back</translation>
    </message>
    <message>
        <source>periksa unit</source>
        <translation>inspect the unit</translation>
    </message>
    <message>
        <source>selesaikan denda</source>
        <translation>settle the charges</translation>
    </message>
</context>
<context>
    <name>BlockReason</name>
    <message>
        <source>Servis</source>
        <translation>Service</translation>
    </message>
    <message>
        <source>Ban</source>
        <translation>Tyres</translation>
    </message>
    <message>
        <source>Perbaikan</source>
        <translation>Repair</translation>
    </message>
    <message>
        <source>Kecelakaan</source>
        <translation>Accident</translation>
    </message>
    <message>
        <source>STNK/KIR</source>
        <translation>STNK/KIR papers</translation>
    </message>
    <message>
        <source>Hilang</source>
        <translation>Missing</translation>
    </message>
</context>
<context>
    <name>BlockStrip</name>
    <message>
        <source>Perawatan: seret hari atau pilih dengan Shift+panah, lalu Enter.</source>
        <translation>Maintenance: drag days or choose with Shift+arrows, then Enter.</translation>
    </message>
    <message>
        <source>Batal</source>
        <translation>Cancel</translation>
    </message>
</context>
<context>
    <name>BlockedBubble</name>
    <message>
        <source>Belum bisa menahan unit: koneksi terputus</source>
        <translation>Cannot hold a unit yet: connection lost</translation>
    </message>
    <message>
        <source>Grid hanya bisa dibaca. Anda tetap bisa mengisi draf.</source>
        <translation>The grid is read-only. You can still fill in a draft.</translation>
    </message>
    <message>
        <source>Isi sebagai draf</source>
        <translation>Fill in a draft</translation>
    </message>
    <message>
        <source>{0} tidak bisa dipesan {1}</source>
        <translation>{0} cannot be booked {1}</translation>
    </message>
    <message>
        <source>{0} hanya bisa dilihat dari sini</source>
        <translation>{0} can only be looked at from here</translation>
    </message>
    <message>
        <source>Hubungi cabangnya untuk memesan. Esc kembali ke unit sendiri.</source>
        <translation>Call the branch to book. Esc goes back to your own units.</translation>
    </message>
    <message>
        <source>{0} tidak bisa diubah di sini</source>
        <translation>{0} cannot be changed here</translation>
    </message>
    <message>
        <source>{0} tidak ada lagi di sini</source>
        <translation>{0} is no longer here</translation>
    </message>
    <message>
        <source>Baru saja dibatalkan atau dipindah. Tidak ada yang dilakukan.</source>
        <translation>It has just been cancelled or moved. Nothing was done.</translation>
    </message>
    <message>
        <source>{0} tidak bisa dipesan</source>
        <translation>{0} cannot be booked</translation>
    </message>
    <message>
        <source>{0} kelas lebih rendah</source>
        <translation>{0} is a lower class</translation>
    </message>
    <message>
        <source>Pindah ke kelas lebih rendah butuh perjanjian baru; booking lama tidak berubah.</source>
        <translation>A lower class needs a new agreement; the old booking stays as it is.</translation>
    </message>
    <message>
        <source>Buka formulir booking</source>
        <translation>Open the booking form</translation>
    </message>
</context>
<context>
    <name>Calendar</name>
    <message>
        <source>Cuti bersama: {0}</source>
        <translation>Joint leave: {0}</translation>
    </message>
</context>
<context>
    <name>CalendarBanner</name>
    <message>
        <source>Menahan unit dan pembayaran tetap jalan. Indeks cepat (Redis) tidak terjangkau sejak {0}.</source>
        <translation>Holding units and payments go on. The fast index (Redis) is out of reach since {0}.</translation>
    </message>
    <message>
        <source>Kalender dari basis data, diperbarui tiap 5 dtk.</source>
        <translation>Calendar from the database, updated every 5 s.</translation>
    </message>
    <message>
        <source>kalender dari basis data</source>
        <translation>calendar from the database</translation>
    </message>
    <message>
        <source>Terakhir {0}</source>
        <translation>Last {0}</translation>
    </message>
    <message>
        <source>{0} dipesan dua kali {1}:</source>
        <translation>{0} is booked twice {1}:</translation>
    </message>
    <message>
        <source>{0} dan {1}.</source>
        <translation>{0} and {1}.</translation>
    </message>
    <message>
        <source>Bentrok lain: {0}.</source>
        <translation>Other conflicts: {0}.</translation>
    </message>
    <message>
        <source>Lihat</source>
        <translation>View</translation>
    </message>
    <message>
        <source>perawatan</source>
        <translation>maintenance</translation>
    </message>
</context>
<context>
    <name>CalendarDay</name>
    <message>
        <source>{0}: kalender hanya punya tahun {1}-{2}.</source>
        <translation>{0}: the calendar only has the years {1}-{2}.</translation>
    </message>
</context>
<context>
    <name>CalendarKeys</name>
    <message>
        <source>Tahan / bayar</source>
        <translation>Hold / pay</translation>
    </message>
    <message>
        <source>Booking baru</source>
        <translation>New booking</translation>
    </message>
    <message>
        <source>Pelanggan</source>
        <translation>Customer</translation>
    </message>
    <message>
        <source>Simpan &amp; lanjut</source>
        <translation>Save &amp; continue</translation>
    </message>
    <message>
        <source>Unit lain</source>
        <translation>Another unit</translation>
    </message>
    <message>
        <source>Satu unit lagi di booking ini</source>
        <translation>One more unit in this booking</translation>
    </message>
    <message>
        <source>Diskon</source>
        <translation>Discount</translation>
    </message>
    <message>
        <source>Parkir draf, pelanggan berikutnya</source>
        <translation>Park the draft, next customer</translation>
    </message>
    <message>
        <source>Draf yang diparkir</source>
        <translation>Parked drafts</translation>
    </message>
    <message>
        <source>Ke tanggal</source>
        <translation>Go to date</translation>
    </message>
    <message>
        <source>Bulan sebelumnya</source>
        <translation>Previous month</translation>
    </message>
    <message>
        <source>Bulan berikutnya</source>
        <translation>Next month</translation>
    </message>
    <message>
        <source>Hari ini</source>
        <translation>Today</translation>
    </message>
    <message>
        <source>Saring SKU</source>
        <translation>Filter SKU</translation>
    </message>
    <message>
        <source>Kosong untuk tanggal, kategori, cabang</source>
        <translation>Free for dates, category, branch</translation>
    </message>
    <message>
        <source>Tampilkan satu status</source>
        <translation>Show one status</translation>
    </message>
    <message>
        <source>Hari kosong berikutnya</source>
        <translation>Next free day</translation>
    </message>
    <message>
        <source>Berikutnya yang perlu tindakan</source>
        <translation>Next that needs action</translation>
    </message>
    <message>
        <source>Kartu booking</source>
        <translation>Booking card</translation>
    </message>
    <message>
        <source>Batalkan / akhiri</source>
        <translation>Cancel / end</translation>
    </message>
    <message>
        <source>Pelanggan tidak datang</source>
        <translation>Customer did not show up</translation>
    </message>
    <message>
        <source>Tahan lebih lama</source>
        <translation>Hold longer</translation>
    </message>
    <message>
        <source>Perpanjang / ubah hari terakhir</source>
        <translation>Extend / change the last day</translation>
    </message>
    <message>
        <source>Ubah hari pertama</source>
        <translation>Change the first day</translation>
    </message>
    <message>
        <source>Pindah unit atau tanggal</source>
        <translation>Move to another unit or dates</translation>
    </message>
    <message>
        <source>Parkir sementara</source>
        <translation>Park for a moment</translation>
    </message>
    <message>
        <source>Perawatan</source>
        <translation>Maintenance</translation>
    </message>
    <message>
        <source>Antrean</source>
        <translation>Waitlist</translation>
    </message>
    <message>
        <source>Menu di sel ini</source>
        <translation>Menu of this cell</translation>
    </message>
    <message>
        <source>Lebih banyak hari</source>
        <translation>More days</translation>
    </message>
    <message>
        <source>Lebih sedikit hari</source>
        <translation>Fewer days</translation>
    </message>
    <message>
        <source>Satu bulan penuh</source>
        <translation>Whole month</translation>
    </message>
    <message>
        <source>Geser bar</source>
        <translation>Move the bar</translation>
    </message>
    <message>
        <source>Taruh bar</source>
        <translation>Put the bar down</translation>
    </message>
    <message>
        <source>Sel sebelah</source>
        <translation>Next cell</translation>
    </message>
    <message>
        <source>Pilih hari kosong</source>
        <translation>Choose free days</translation>
    </message>
    <message>
        <source>Pesan hari itu / buka bar / lipat SKU</source>
        <translation>Book that day / open the bar / fold the SKU</translation>
    </message>
</context>
<context>
    <name>CalendarScreen</name>
    <message>
        <source>Kalender</source>
        <translation>Calendar</translation>
    </message>
    <message>
        <source>{0} dibatalkan, unit kosong lagi.</source>
        <translation>{0} cancelled, the unit is free again.</translation>
    </message>
    <message>
        <source>Data {0}</source>
        <translation>Data {0}</translation>
    </message>
    <message>
        <source>Grid diperbarui {0}</source>
        <translation>Grid updated {0}</translation>
    </message>
    <message>
        <source>{0} ditahan 15 menit ({1}).</source>
        <translation>{0} is held for 15 minutes ({1}).</translation>
    </message>
    <message>
        <source>Koneksi terputus, jadi belum diurungkan.</source>
        <translation>The connection is lost, so nothing was undone yet.</translation>
    </message>
</context>
<context>
    <name>CalendarToolbar</name>
    <message>
        <source>Booking baru</source>
        <translation>New booking</translation>
    </message>
    <message>
        <source>Draf baru</source>
        <translation>New draft</translation>
    </message>
    <message>
        <source>Bulan sebelumnya (Ctrl+←)</source>
        <translation>Previous month (Ctrl+←)</translation>
    </message>
    <message>
        <source>Bulan berikutnya (Ctrl+→)</source>
        <translation>Next month (Ctrl+→)</translation>
    </message>
    <message>
        <source>Hari ini</source>
        <translation>Today</translation>
    </message>
    <message>
        <source>Saring SKU</source>
        <translation>Filter SKU</translation>
    </message>
    <message>
        <source>Semua SKU</source>
        <translation>All SKUs</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>semua</source>
        <translation>all</translation>
    </message>
    <message>
        <source>Jumlah hari</source>
        <translation>Number of days</translation>
    </message>
    <message>
        <source>Bulan</source>
        <translation>Month</translation>
    </message>
    <message>
        <source>Kosong untuk tanggal, kategori, cabang (F)</source>
        <translation>Free for dates, category, branch (F)</translation>
    </message>
    <message>
        <source>Saringan lain</source>
        <translation>More filters</translation>
    </message>
    <message>
        <source>Perawatan</source>
        <translation>Maintenance</translation>
    </message>
    <message>
        <source>Lainnya: yang tidak muat di baris ini</source>
        <translation>More: what has no room in this row</translation>
    </message>
    <message>
        <source>Lainnya</source>
        <translation>More</translation>
    </message>
    <message>
        <source>Lainnya; {0} hari tampil</source>
        <translation>More; {0} days shown</translation>
    </message>
    <message>
        <source>Bln</source>
        <translation>Mth</translation>
    </message>
    <message>
        <source>Tersedia hari ini</source>
        <translation>Free today</translation>
    </message>
    <message>
        <source>{0} dari {1}</source>
        <translation>{0} of {1}</translation>
    </message>
    <message>
        <source>Tersedia: data lama</source>
        <translation>Free: old data</translation>
    </message>
    <message>
        <source>Tersedia:</source>
        <translation>Free:</translation>
    </message>
    <message>
        <source>data lama</source>
        <translation>old data</translation>
    </message>
    <message>
        <source>Tersedia {0} dari {1} (hari ini)</source>
        <translation>Free {0} of {1} (today)</translation>
    </message>
    <message>
        <source>Tersedia {0} dari {1} hari ini</source>
        <translation>Free {0} of {1} today</translation>
    </message>
    <message>
        <source>Tersedia</source>
        <translation>Free</translation>
    </message>
</context>
<context>
    <name>CancelDialog</name>
    <message>
        <source>Batalkan booking</source>
        <translation>Cancel booking</translation>
    </message>
    <message>
        <source>Batalkan {0} ({1})?</source>
        <translation>Cancel {0} ({1})?</translation>
    </message>
    <message>
        <source>Belum dibayar. Unit langsung kosong dan tagihannya dibatalkan.</source>
        <translation>Not paid yet. The unit is free at once and its invoice is void.</translation>
    </message>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Biarkan</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Isi alasan dulu.</source>
        <translation>Enter a reason first.</translation>
    </message>
</context>
<context>
    <name>CancelPaidCard</name>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Biarkan</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Kembali ke pelanggan</source>
        <translation>Back to the customer</translation>
    </message>
    <message>
        <source>Menghitung uangnya…</source>
        <translation>Working out the money…</translation>
    </message>
    <message>
        <source>Hitung lagi</source>
        <translation>Work out again</translation>
    </message>
    <message>
        <source>Menyimpan…</source>
        <translation>Saving…</translation>
    </message>
    <message>
        <source>Menunggu jawaban server.</source>
        <translation>Waiting for the server's answer.</translation>
    </message>
    <message>
        <source>Uangnya belum bisa dihitung.</source>
        <translation>The money is not known yet.</translation>
    </message>
    <message>
        <source>Isi alasan dulu.</source>
        <translation>Enter a reason first.</translation>
    </message>
    <message>
        <source>Belum pasti apakah sudah tersimpan. {0} ditanyakan lagi setiap 3 detik; jangan diulang.</source>
        <translation>Not certain yet whether it was saved. {0} is asked every 3 seconds; do not repeat it.</translation>
    </message>
    <message>
        <source>Berubah dari {0} menjadi {1} sejak ditampilkan. Periksa, lalu tekan lagi bila setuju.</source>
        <translation>Changed from {0} to {1} since it was shown. Check, then press again if you agree.</translation>
    </message>
    <message>
        <source>Sudah diperiksa: belum ada yang berubah. Alasannya tetap ada, tekan lagi.</source>
        <translation>Checked: nothing has changed yet. Your reason is still here, press again.</translation>
    </message>
</context>
<context>
    <name>CardForm</name>
    <message>
        <source>4 angka terakhir kartu</source>
        <translation>Last 4 digits of the card</translation>
    </message>
    <message>
        <source>Kode persetujuan (6 angka)</source>
        <translation>Approval code (6 digits)</translation>
    </message>
    <message>
        <source>Bank mesin EDC</source>
        <translation>Bank of the EDC terminal</translation>
    </message>
    <message>
        <source>Jumlah</source>
        <translation>Amount</translation>
    </message>
</context>
<context>
    <name>CashPart</name>
    <message>
        <source>Kas masuk / keluar</source>
        <translation>Cash in / out</translation>
    </message>
    <message>
        <source>Jumlah kas</source>
        <translation>Cash amount</translation>
    </message>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Alasan, misalnya setor ke brankas</source>
        <translation>Reason, e.g. moved to the safe</translation>
    </message>
    <message>
        <source>Masukkan</source>
        <translation>Put in</translation>
    </message>
    <message>
        <source>Keluarkan</source>
        <translation>Take out</translation>
    </message>
    <message>
        <source>Isi alasan kas masuk atau keluar.</source>
        <translation>Enter a reason for the cash in or out.</translation>
    </message>
    <message>
        <source>Diterima</source>
        <translation>Received</translation>
    </message>
    <message>
        <source>Diterima dari pelanggan</source>
        <translation>Received from the customer</translation>
    </message>
    <message>
        <source>Pas</source>
        <translation>Exact</translation>
    </message>
    <message>
        <source>Kembalian</source>
        <translation>Change</translation>
    </message>
    <message>
        <source>Serahkan</source>
        <translation>Hand over</translation>
    </message>
</context>
<context>
    <name>ChangeBubble</name>
    <message>
        <source>Ke parkir sementara; harinya tetap terpakai sampai ditaruh lagi</source>
        <translation>To the parking lane; its days stay taken until it is placed</translation>
    </message>
    <message>
        <source>Kembali {0} → {1}</source>
        <translation>Return {0} → {1}</translation>
    </message>
    <message>
        <source>Ambil {0} → {1}</source>
        <translation>Pick-up {0} → {1}</translation>
    </message>
    <message>
        <source>memeriksa…</source>
        <translation>checking…</translation>
    </message>
    <message>
        <source>Tidak bisa:</source>
        <translation>Not possible:</translation>
    </message>
    <message>
        <source>geser</source>
        <translation>move</translation>
    </message>
    <message>
        <source>ubah</source>
        <translation>change</translation>
    </message>
    <message>
        <source>taruh</source>
        <translation>put down</translation>
    </message>
    <message>
        <source>Lepas = parkir</source>
        <translation>Release = park</translation>
    </message>
    <message>
        <source>Lepas = tetap di {0}</source>
        <translation>Release = stays on {0}</translation>
    </message>
    <message>
        <source>Lepas = ubah</source>
        <translation>Release = change</translation>
    </message>
    <message>
        <source>Lepas = pindah</source>
        <translation>Release = move</translation>
    </message>
    <message>
        <source>batal</source>
        <translation>cancel</translation>
    </message>
    <message>
        <source>harga sama</source>
        <translation>same price</translation>
    </message>
</context>
<context>
    <name>ChangeWords</name>
    <message>
        <source>{0} pindah ke {1}.</source>
        <translation>{0} moved to {1}.</translation>
    </message>
    <message>
        <source>{0} diperpanjang s.d. {1}.</source>
        <translation>{0} extended to {1}.</translation>
    </message>
    <message>
        <source>{0} selesai lebih awal, {1}.</source>
        <translation>{0} ends earlier, {1}.</translation>
    </message>
    <message>
        <source>Bisa diurungkan selama harinya kosong.</source>
        <translation>Can be undone while the days are free.</translation>
    </message>
    <message>
        <source>{0} menunggu bayar (F9).</source>
        <translation>{0} to be paid (F9).</translation>
    </message>
    <message>
        <source>Tambah {0}.</source>
        <translation>{0} more.</translation>
    </message>
    <message>
        <source>Kurang {0}.</source>
        <translation>{0} less.</translation>
    </message>
    <message>
        <source>Bentrok {0}:</source>
        <translation>Conflict {0}:</translation>
    </message>
    <message>
        <source>perawatan</source>
        <translation>maintenance</translation>
    </message>
    <message>
        <source>paling lama s.d. {0}</source>
        <translation>at the longest to {0}</translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message>
        <source>{0} diparkir; harinya tetap terpakai.</source>
        <translation>{0} is parked; its days stay taken.</translation>
    </message>
    <message>
        <source>Ubah hari terakhir: panah kiri kanan, Enter mengubah, Esc batal.</source>
        <translation>Change the last day: left and right, Enter changes, Esc cancels.</translation>
    </message>
    <message>
        <source>Ubah hari pertama: panah kiri kanan, Enter mengubah, Esc batal.</source>
        <translation>Change the first day: left and right, Enter changes, Esc cancels.</translation>
    </message>
    <message>
        <source>Pindah: panah menggeser, Enter menaruh, Esc batal.</source>
        <translation>Move: arrows move, Enter puts down, Esc cancels.</translation>
    </message>
    <message>
        <source>{0} baru saja berubah, jadi tidak dipindahkan. Lihat dulu keadaannya.</source>
        <translation>{0} has just changed, so it was not moved. Look at it first.</translation>
    </message>
    <message>
        <source>{0} tetap di {1}</source>
        <translation>{0} stays on {1}</translation>
    </message>
    <message>
        <source>{0} kembali seperti semula.</source>
        <translation>{0} is back as it was.</translation>
    </message>
    <message>
        <source>Perpanjangan {0} ditolak, hari tambahannya kosong lagi.</source>
        <translation>The extension of {0} is refused, its extra days are free again.</translation>
    </message>
</context>
<context>
    <name>CloseHint</name>
    <message>
        <source>tutup</source>
        <translation>close</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>berlaku {left}</source>
        <translation>valid {left}</translation>
    </message>
    <message>
        <source>SIMULASI: bukan uang sungguhan</source>
        <translation>SIMULATED: no real money</translation>
    </message>
    <message>
        <source>Catat dengan tangan</source>
        <translation>Record by hand</translation>
    </message>
    <message>
        <source>Kode baru</source>
        <translation>New code</translation>
    </message>
    <message>
        <source>Minta pelanggan memindai. Begitu dibayar, tagihan ini lunas sendiri, tanpa tombol.</source>
        <translation>Ask the customer to scan it. Once paid, this invoice is settled by itself, without a key.</translation>
    </message>
    <message>
        <source>Menyiapkan kode…</source>
        <translation>Preparing the code…</translation>
    </message>
    <message>
        <source>Dibayar. Memuat tagihannya…</source>
        <translation>Paid. Loading the invoice…</translation>
    </message>
    <message>
        <source>Gateway tidak membuat kode. Coba lagi, atau terima cara lain.</source>
        <translation>The gateway made no code. Try again, or take the money another way.</translation>
    </message>
    <message>
        <source>Kode ini sudah tidak bisa dibayar.</source>
        <translation>This code can be paid no longer.</translation>
    </message>
</context>
<context>
    <name>CollectivePaper</name>
    <message>
        <source>Tagihan gabungan</source>
        <translation>Collective invoice</translation>
    </message>
    <message>
        <source>Kepada</source>
        <translation>To</translation>
    </message>
    <message>
        <source>Bulan</source>
        <translation>Month</translation>
    </message>
    <message>
        <source>Tanggal</source>
        <translation>Date</translation>
    </message>
    <message>
        <source>Jatuh tempo</source>
        <translation>Due</translation>
    </message>
    <message>
        <source>Nomor tagihan</source>
        <translation>Invoice number</translation>
    </message>
    <message>
        <source>Penyewa</source>
        <translation>Renter</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Total</translation>
    </message>
    <message>
        <source>PPh 23 yang boleh dipotong</source>
        <translation>PPh 23 that may be withheld</translation>
    </message>
    <message>
        <source>Bayar dengan satu transfer dan sebutkan nomor {number}; kirim bukti potong PPh 23 bila ada.</source>
        <translation>Pay with one transfer and state the number {number}; send the PPh 23 slip if tax is withheld.</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Tidak ada perintah begitu</source>
        <translation>No such command</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Di semua layar</source>
        <translation>On every screen</translation>
    </message>
    <message>
        <source>Pindah layar</source>
        <translation>Go to a screen</translation>
    </message>
</context>
<context>
    <name>CompanyBillsPage</name>
    <message>
        <source>Bukti potong {number} dicatat.</source>
        <translation>Slip {number} noted.</translation>
    </message>
    <message>
        <source>Transfer untuk {number}: {amount}</source>
        <translation>Transfer for {number}: {amount}</translation>
    </message>
    <message>
        <source>PPh 23 {amount} dipotong</source>
        <translation>PPh 23 {amount} was withheld</translation>
    </message>
    <message>
        <source>Nomor referensi transfer</source>
        <translation>Reference of the transfer</translation>
    </message>
    <message>
        <source>Bukti potong {name}, {number}: {amount}</source>
        <translation>Withholding slip {name}, {number}: {amount}</translation>
    </message>
    <message>
        <source>Nomor bukti potong</source>
        <translation>Number of the slip</translation>
    </message>
    <message>
        <source>Tagihan perusahaan</source>
        <translation>Company bills</translation>
    </message>
    <message>
        <source>Satu tagihan gabungan sebulan untuk tiap perusahaan, dibayar satu transfer.</source>
        <translation>One collective invoice a month for each company, paid by one transfer.</translation>
    </message>
    <message>
        <source>Belum ditagih</source>
        <translation>Not billed yet</translation>
    </message>
    <message>
        <source>Tagihan gabungan</source>
        <translation>Collective invoices</translation>
    </message>
    <message>
        <source>Bukti potong PPh 23 yang belum datang</source>
        <translation>PPh 23 slips that have not come</translation>
    </message>
    <message>
        <source>Nomor bukti potong (boleh menyusul)</source>
        <translation>Number of the slip (may follow)</translation>
    </message>
    <message>
        <source>Simpan</source>
        <translation>Save</translation>
    </message>
    <message>
        <source>Batal isi</source>
        <translation>Cancel</translation>
    </message>
    <message>
        <source>Tidak ada piutang yang belum ditagih.</source>
        <translation>No debt is waiting to be billed.</translation>
    </message>
    <message>
        <source>Belum ada tagihan gabungan.</source>
        <translation>No collective invoice yet.</translation>
    </message>
    <message>
        <source>Semua bukti potong sudah datang.</source>
        <translation>All slips have come.</translation>
    </message>
    <message>
        <source>{count} tagihan</source>
        <translation>Invoices: {count}</translation>
    </message>
    <message>
        <source>Tagih s.d. {month}</source>
        <translation>Bill up to {month}</translation>
    </message>
    <message>
        <source>jatuh tempo {day}</source>
        <translation>due {day}</translation>
    </message>
    <message>
        <source>lunas {day}</source>
        <translation>paid {day}</translation>
    </message>
    <message>
        <source>Cetak</source>
        <translation>Print</translation>
    </message>
    <message>
        <source>Catat transfer</source>
        <translation>Record transfer</translation>
    </message>
    <message>
        <source>Catat nomor</source>
        <translation>Note number</translation>
    </message>
    <message>
        <source>Perlu peran Kasir.</source>
        <translation>Needs the Cashier role.</translation>
    </message>
    <message>
        <source>Koneksi terputus.</source>
        <translation>No connection.</translation>
    </message>
    <message>
        <source>{number} terbit: {amount}.</source>
        <translation>{number} issued: {amount}.</translation>
    </message>
    <message>
        <source>{number} lunas.</source>
        <translation>{number} is paid.</translation>
    </message>
</context>
<context>
    <name>Contract</name>
    <message>
        <source>dicetak {day} {time} oleh {name}, {counter}</source>
        <translation>printed {day} {time} by {name}, {counter}</translation>
    </message>
    <message>
        <source>Kontrak sewa</source>
        <translation>Rental contract</translation>
    </message>
    <message>
        <source>Paraf: ______ / ______</source>
        <translation>Initials: ______ / ______</translation>
    </message>
    <message>
        <source>Halaman {page} dari {pages}</source>
        <translation>Page {page} of {pages}</translation>
    </message>
    <message>
        <source>Unit dan masa sewa</source>
        <translation>Units and period</translation>
    </message>
    <message>
        <source>Biaya</source>
        <translation>Charges</translation>
    </message>
    <message>
        <source>Syarat sewa</source>
        <translation>Terms of rental</translation>
    </message>
    <message>
        <source>Perubahan ke-{count}</source>
        <translation>Revision {count}</translation>
    </message>
    <message>
        <source>Dibuat {day}, {time}</source>
        <translation>Made {day}, {time}</translation>
    </message>
    <message>
        <source>{numbers} dan {count} lainnya</source>
        <translation>{numbers} and {count} more</translation>
    </message>
    <message>
        <source>Nama</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Telepon</source>
        <translation>Phone</translation>
    </message>
    <message>
        <source>Alamat</source>
        <translation>Address</translation>
    </message>
    <message>
        <source>Perusahaan</source>
        <translation>Company</translation>
    </message>
    <message>
        <source>KTP/paspor</source>
        <translation>ID card/passport</translation>
    </message>
    <message>
        <source>SIM</source>
        <translation>Driving licence</translation>
    </message>
    <message>
        <source>Cocok dengan kartu asli, diperiksa oleh: {blank}</source>
        <translation>Matches the original card, checked by: {blank}</translation>
    </message>
    <message>
        <source>Cabang</source>
        <translation>Branch</translation>
    </message>
    <message>
        <source>Dibuat oleh</source>
        <translation>Made by</translation>
    </message>
    <message>
        <source>Penyewa</source>
        <translation>Lessee</translation>
    </message>
    <message>
        <source>Pemberi sewa</source>
        <translation>Lessor</translation>
    </message>
    <message>
        <source>KTP {number}</source>
        <translation>ID card {number}</translation>
    </message>
    <message>
        <source>Paspor {number}</source>
        <translation>passport {number}</translation>
    </message>
    <message>
        <source>sampai {day}</source>
        <translation>until {day}</translation>
    </message>
    <message>
        <source>Jumlah dengan deposit</source>
        <translation>Total with deposit</translation>
    </message>
    <message>
        <source>Sudah dibayar</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Belum dibayar</source>
        <translation>Still to pay</translation>
    </message>
    <message>
        <source>Dikembalikan karena perubahan sewa</source>
        <translation>Paid back after a change of the rental</translation>
    </message>
    <message>
        <source>Uang muka</source>
        <translation>Down payment</translation>
    </message>
    <message>
        <source>Pelunasan</source>
        <translation>Balance</translation>
    </message>
    <message>
        <source>Perpanjangan</source>
        <translation>Extension</translation>
    </message>
    <message>
        <source>Sewa</source>
        <translation>Rental</translation>
    </message>
    <message>
        <source>Deposit dan jaminan</source>
        <translation>Deposit and collateral</translation>
    </message>
    <message>
        <source>Deposit {amount} dikembalikan setelah unit diperiksa saat kembali, dikurangi biaya bila ada.</source>
        <translation>The deposit of {amount} is paid back after the unit is checked on return, less charges if any.</translation>
    </message>
    <message>
        <source>Jaminan</source>
        <translation>Collateral</translation>
    </message>
    <message>
        <source>Disimpan di</source>
        <translation>Kept at</translation>
    </message>
    <message>
        <source>Nomor</source>
        <translation>Number</translation>
    </message>
    <message>
        <source>Diterima oleh</source>
        <translation>Received by</translation>
    </message>
    <message>
        <source>{place}, tanggal {blank}</source>
        <translation>{place}, date {blank}</translation>
    </message>
    <message>
        <source>Penyewa telah membaca dan menyetujui seluruh isi kontrak ini.</source>
        <translation>The lessee has read this contract and agrees to all of it.</translation>
    </message>
    <message>
        <source>Meterai Rp 10.000 (jumlah di atas Rp 5.000.000)</source>
        <translation>Duty stamp Rp 10,000 (amount above Rp 5,000,000)</translation>
    </message>
</context>
<context>
    <name>ContractKey</name>
    <message>
        <source>Pilih booking di kalender, lalu Ctrl+P mencetak kontraknya.</source>
        <translation>Choose a booking in the calendar, then Ctrl+P prints its contract.</translation>
    </message>
    <message>
        <source>Penawaran perlu barang dan tanggal. Isi dulu, lalu Ctrl+P.</source>
        <translation>A quotation needs an item and dates. Fill them in, then Ctrl+P.</translation>
    </message>
    <message>
        <source>Penawaran belum bisa dicetak. {why}</source>
        <translation>The quotation cannot be printed yet. {why}</translation>
    </message>
    <message>
        <source>Penawaran dengan diskon di atas {0} % perlu kata manajer dulu: F9, atau turunkan diskonnya.</source>
        <translation>A quotation with more than {0} % off needs a manager's word first: F9, or lower the discount.</translation>
    </message>
    <message>
        <source>Penawaran perlu harga, dan koneksi terputus. Ctrl+P lagi saat online.</source>
        <translation>A quotation needs a price, and the connection is lost. Ctrl+P again once online.</translation>
    </message>
    <message>
        <source>Harga untuk penawaran sedang dihitung. Tekan Ctrl+P sekali lagi.</source>
        <translation>The quotation's price is being computed. Press Ctrl+P once more.</translation>
    </message>
    <message>
        <source>Cetak kontrak / penawaran</source>
        <translation>Print contract / quotation</translation>
    </message>
    <message>
        <source>Cetak dalam bahasa Inggris</source>
        <translation>Print in English</translation>
    </message>
    <message>
        <source>Cetak dalam bahasa Indonesia</source>
        <translation>Print in Indonesian</translation>
    </message>
    <message>
        <source>Penawaran tersimpan: {file}</source>
        <translation>Quotation saved: {file}</translation>
    </message>
    <message>
        <source>Printer tidak menerima cetakan. Booking aman, filenya tersimpan: {file}</source>
        <translation>The printer did not take the pages. The booking is safe, the file is saved: {file}</translation>
    </message>
    <message>
        <source>File belum bisa ditulis ({why}). Booking aman; Ctrl+P mencoba lagi.</source>
        <translation>The file could not be written ({why}). The booking is safe; Ctrl+P tries again.</translation>
    </message>
    <message>
        <source>Kontrak tersimpan, SALINAN ke-{count}: {file}</source>
        <translation>Contract saved, COPY no. {count}: {file}</translation>
    </message>
    <message>
        <source>Kontrak tersimpan: {file}</source>
        <translation>Contract saved: {file}</translation>
    </message>
</context>
<context>
    <name>CountCard</name>
    <message>
        <source>Uang kertas</source>
        <translation>Notes</translation>
    </message>
    <message>
        <source>Koin</source>
        <translation>Coins</translation>
    </message>
    <message>
        <source>lembar</source>
        <translation>pieces</translation>
    </message>
    <message>
        <source>Hitungan laci</source>
        <translation>Drawer count</translation>
    </message>
    <message>
        <source>Jumlah {piece}</source>
        <translation>How many {piece}</translation>
    </message>
</context>
<context>
    <name>CountPage</name>
    <message>
        <source>Tutup shift #{number}</source>
        <translation>Close shift #{number}</translation>
    </message>
    <message>
        <source>Hitungan sudah dikunci. Hitung ulang boleh satu kali.</source>
        <translation>The count is locked in. One recount is allowed.</translation>
    </message>
    <message>
        <source>Sudah dihitung ulang satu kali.</source>
        <translation>It was recounted once already.</translation>
    </message>
    <message>
        <source>Menyimpan…</source>
        <translation>Saving…</translation>
    </message>
    <message>
        <source>Kunci hitungan</source>
        <translation>Lock the count</translation>
    </message>
    <message>
        <source>Tutup shift</source>
        <translation>Close shift</translation>
    </message>
    <message>
        <source>Total slip EDC bukan jumlah rupiah.</source>
        <translation>The card slips' total is not an amount.</translation>
    </message>
    <message>
        <source>Hitungan laci</source>
        <translation>Drawer count</translation>
    </message>
    <message>
        <source>Kas &amp; riwayat</source>
        <translation>Cash &amp; history</translation>
    </message>
    <message>
        <source>Laporan X</source>
        <translation>X report</translation>
    </message>
    <message>
        <source>Hitung ulang</source>
        <translation>Recount</translation>
    </message>
    <message>
        <source>Simpan sementara</source>
        <translation>Keep for now</translation>
    </message>
    <message>
        <source>Hitung ulang boleh satu kali.</source>
        <translation>One recount is allowed.</translation>
    </message>
    <message>
        <source>{name} · buka {time} · laci {drawer}</source>
        <translation>{name} · opened {time} · drawer {drawer}</translation>
    </message>
    <message>
        <source>hitung buta, harapan tampil setelah hitungan dikunci</source>
        <translation>blind count: what is expected shows once it is locked</translation>
    </message>
    <message>
        <source>hitungan dikunci</source>
        <translation>count locked</translation>
    </message>
</context>
<context>
    <name>CustomerHits</name>
    <message numerus="yes">
        <source>%n tagihan belum lunas</source>
        <translation>
            <numerusform>%n unpaid invoice</numerusform>
            <numerusform>%n unpaid invoices</numerusform>
        </translation>
    </message>
    <message>
        <source>{0}x sewa</source>
        <translation>{0}x rented</translation>
    </message>
    <message>
        <source>Pelanggan baru {0}</source>
        <translation>New customer {0}</translation>
    </message>
</context>
<context>
    <name>Customers</name>
    <message>
        <source>Platinum</source>
        <translation>Platinum</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>Gold</translation>
    </message>
    <message>
        <source>Silver</source>
        <translation>Silver</translation>
    </message>
    <message>
        <source>Biasa</source>
        <translation>Basic</translation>
    </message>
    <message>
        <source>SIM belum dicatat</source>
        <translation>No licence on record</translation>
    </message>
    <message>
        <source>SIM habis sejak {day}</source>
        <translation>Licence expired {day}</translation>
    </message>
    <message>
        <source>SIM segera habis: {day}</source>
        <translation>Licence expires soon: {day}</translation>
    </message>
    <message>
        <source>SIM berlaku sampai {day}</source>
        <translation>Licence valid to {day}</translation>
    </message>
    <message>
        <source>Perlu persetujuan manajer (kode {code})</source>
        <translation>A manager's approval is needed (code {code})</translation>
    </message>
    <message>
        <source>Tagihan lewat jatuh tempo {amount}</source>
        <translation>Invoices overdue {amount}</translation>
    </message>
    <message>
        <source>Tanggal pada NIK tidak lazim, periksa kartunya.</source>
        <translation>The date inside this NIK looks unusual, check the card.</translation>
    </message>
    <message>
        <source>NIK memuat tanggal lahir lain, periksa kartunya.</source>
        <translation>This NIK holds another date of birth, check the card.</translation>
    </message>
    <message>
        <source>Kode wilayah pada NIK tidak lazim, periksa kartunya.</source>
        <translation>The region inside this NIK looks unusual, check the card.</translation>
    </message>
    <message>
        <source>NIK (KTP)</source>
        <translation>NIK (ID card)</translation>
    </message>
    <message>
        <source>Nomor paspor</source>
        <translation>Passport number</translation>
    </message>
    <message>
        <source>Nomor SIM</source>
        <translation>Licence number</translation>
    </message>
    <message>
        <source>Data saya dipakai untuk sewa kendaraan dan disimpan menurut kebijakan Sentra.</source>
        <translation>My data is used for renting vehicles and kept under Sentra's policy.</translation>
    </message>
    <message>
        <source>Nama perusahaan</source>
        <translation>Company name</translation>
    </message>
    <message>
        <source>Nama sesuai KTP</source>
        <translation>Name as on the ID card</translation>
    </message>
    <message>
        <source>Telepon</source>
        <translation>Phone</translation>
    </message>
    <message>
        <source>E-mail</source>
        <translation>E-mail</translation>
    </message>
    <message>
        <source>Alamat</source>
        <translation>Address</translation>
    </message>
    <message>
        <source>Tanggal lahir</source>
        <translation>Date of birth</translation>
    </message>
    <message>
        <source>Kewarganegaraan</source>
        <translation>Nationality</translation>
    </message>
    <message>
        <source>Golongan SIM</source>
        <translation>Licence class</translation>
    </message>
    <message>
        <source>SIM berlaku sampai</source>
        <translation>Licence valid to</translation>
    </message>
    <message>
        <source>Tingkat</source>
        <translation>Tier</translation>
    </message>
    <message>
        <source>Perusahaan</source>
        <translation>Company</translation>
    </message>
    <message>
        <source>Kode catatan</source>
        <translation>Note code</translation>
    </message>
    <message>
        <source>Catatan</source>
        <translation>Note</translation>
    </message>
    <message>
        <source>NPWP</source>
        <translation>NPWP</translation>
    </message>
    <message>
        <source>Batas kredit</source>
        <translation>Credit limit</translation>
    </message>
    <message>
        <source>Jatuh tempo (hari)</source>
        <translation>Due within (days)</translation>
    </message>
</context>
<context>
    <name>CustomersScreen</name>
    <message>
        <source>Pelanggan</source>
        <translation>Customers</translation>
    </message>
    <message>
        <source>Draf disimpan. Shift+F3 membukanya lagi.</source>
        <translation>Draft saved. Shift+F3 opens it again.</translation>
    </message>
    <message>
        <source>Perusahaan</source>
        <translation>Companies</translation>
    </message>
    <message>
        <source>Simpan</source>
        <translation>Save</translation>
    </message>
    <message>
        <source>Cari pelanggan</source>
        <translation>Find a customer</translation>
    </message>
    <message>
        <source>Daftar pelanggan</source>
        <translation>List of customers</translation>
    </message>
    <message>
        <source>Perusahaan baru</source>
        <translation>New company</translation>
    </message>
    <message>
        <source>Pelanggan baru</source>
        <translation>New customer</translation>
    </message>
    <message>
        <source>Nama atau NPWP</source>
        <translation>Name or NPWP</translation>
    </message>
    <message>
        <source>Telepon, nama, pelat, NIK, booking</source>
        <translation>Phone, name, plate, NIK, booking</translation>
    </message>
    <message>
        <source>Pilih dari daftar, atau Ctrl+N untuk yang baru.</source>
        <translation>Choose from the list, or Ctrl+N for a new one.</translation>
    </message>
    <message>
        <source>Koneksi terputus: dicari di daftar ini saja.</source>
        <translation>Connection lost: searching this list only.</translation>
    </message>
    <message>
        <source>Belum ada jawaban. F5 mencari lagi.</source>
        <translation>No answer yet. F5 searches again.</translation>
    </message>
    <message>
        <source>Mencari…</source>
        <translation>Searching…</translation>
    </message>
    <message>
        <source>{0} yang pertama. Ketik lebih lengkap.</source>
        <translation>The first {0}. Type more.</translation>
    </message>
    <message>
        <source>{0} perusahaan</source>
        <translation>{0} companies</translation>
    </message>
    <message>
        <source>Terakhir diubah</source>
        <translation>Changed last</translation>
    </message>
    <message>
        <source>{0} cocok</source>
        <translation>{0} found</translation>
    </message>
    <message>
        <source>Tidak ada yang cocok. Ctrl+N membuat yang baru.</source>
        <translation>Nobody fits. Ctrl+N makes a new one.</translation>
    </message>
    <message>
        <source>Belum ada. Ctrl+N membuat yang pertama.</source>
        <translation>Nobody yet. Ctrl+N makes the first one.</translation>
    </message>
    <message>
        <source>Kode {0}</source>
        <translation>Code {0}</translation>
    </message>
    <message>
        <source>{name} disimpan</source>
        <translation>{name} saved</translation>
    </message>
    <message>
        <source>Nomor ditampilkan selama 30 detik</source>
        <translation>The number is shown for 30 seconds</translation>
    </message>
</context>
<context>
    <name>DayHeader</name>
    <message>
        <source>Hari</source>
        <translation>Days</translation>
    </message>
</context>
<context>
    <name>Demand</name>
    <message>
        <source>Keluar dari antrean.</source>
        <translation>Taken off the waitlist.</translation>
    </message>
    <message>
        <source>Perawatan {0}</source>
        <translation>Maintenance {0}</translation>
    </message>
    <message>
        <source>{0} perawatan {1}: {2}.</source>
        <translation>{0} in maintenance {1}: {2}.</translation>
    </message>
    <message>
        <source>Perawatan {0} berakhir.</source>
        <translation>The maintenance of {0} ended.</translation>
    </message>
    <message>
        <source>Cabang lain hanya bisa dilihat.</source>
        <translation>Another branch can only be looked at.</translation>
    </message>
    <message>
        <source>Antrean perlu koneksi.</source>
        <translation>The waitlist needs a connection.</translation>
    </message>
    <message>
        <source>{0} nomor {1} di antrean {2}. Kami hubungi bila ada unit; belum menjamin.</source>
        <translation>{0} is number {1} on the waitlist for {2}. We call when a unit comes free; no promise yet.</translation>
    </message>
    <message>
        <source>{0} sudah nomor {1} di antrean {2}.</source>
        <translation>{0} is number {1} in the waitlist of {2} already.</translation>
    </message>
    <message>
        <source>{0}: {1} kosong, antara lain {2}</source>
        <translation>{0}: {1} free, among them {2}</translation>
    </message>
    <message>
        <source>{0} di cabang lain</source>
        <translation>{0} in other branches</translation>
    </message>
    <message>
        <source>Tidak ada cabang lain yang punya unit kosong {0}.</source>
        <translation>No other branch has a free unit {0}.</translation>
    </message>
</context>
<context>
    <name>DisplacedCursor</name>
    <message>
        <source>{0} tidak ada lagi di kalender. Pilih unit lain dulu.</source>
        <translation>{0} is no longer in the calendar. Choose another unit first.</translation>
    </message>
</context>
<context>
    <name>DraftChoice</name>
    <message>
        <source>Draf {0} belum ditahan</source>
        <translation>The draft of {0} is not held yet</translation>
    </message>
    <message>
        <source>Lanjutkan draf {0}</source>
        <translation>Continue {0}'s draft</translation>
    </message>
    <message>
        <source>Pelanggan tetap, tanggalnya yang baru dipilih.</source>
        <translation>Same customer, with the days just chosen.</translation>
    </message>
    <message>
        <source>Mulai baru</source>
        <translation>Start new</translation>
    </message>
    <message>
        <source>Untuk pelanggan lain. Draf ini tetap disimpan.</source>
        <translation>For another customer. This draft is kept.</translation>
    </message>
</context>
<context>
    <name>Drawer</name>
    <message>
        <source>Draf disimpan. Ctrl+N membukanya lagi.</source>
        <translation>Draft saved. Ctrl+N opens it again.</translation>
    </message>
    <message>
        <source>Draf {0} diparkir. Shift+F4: daftarnya.</source>
        <translation>Draft {0} parked. Shift+F4: the list.</translation>
    </message>
    <message>
        <source>Booking baru: {0}</source>
        <translation>New booking: {0}</translation>
    </message>
    <message>
        <source>Ada draf booking dari {0}. Ctrl+N membukanya.</source>
        <translation>There is a booking draft from {0}. Ctrl+N opens it.</translation>
    </message>
    <message>
        <source>{0} draf</source>
        <translation>Drafts: {0}</translation>
    </message>
</context>
<context>
    <name>EmptyCalendar</name>
    <message>
        <source>Belum ada unit di cabang ini.</source>
        <translation>This branch has no units yet.</translation>
    </message>
    <message>
        <source>Lihat cabang lain</source>
        <translation>Look at another branch</translation>
    </message>
    <message>
        <source>Tidak ada unit kosong {0}.</source>
        <translation>No unit is free {0}.</translation>
    </message>
    <message>
        <source>Tampilkan juga yang terisi</source>
        <translation>Show the taken ones, too</translation>
    </message>
    <message>
        <source>Tidak ditemukan '{0}'. Maksud Anda {1} ({2} unit)?</source>
        <translation>'{0}' was not found. Did you mean {1} ({2} units)?</translation>
    </message>
    <message>
        <source>Tampilkan {0}</source>
        <translation>Show {0}</translation>
    </message>
    <message>
        <source>Tidak ada unit '{0}' di cabang ini.</source>
        <translation>There is no unit '{0}' in this branch.</translation>
    </message>
    <message>
        <source>Tidak ada unit yang cocok.</source>
        <translation>No unit matches.</translation>
    </message>
    <message>
        <source>Tampilkan semua unit</source>
        <translation>Show all units</translation>
    </message>
    <message>
        <source>Belum ada unit di {0}.</source>
        <translation>There are no units in {0} yet.</translation>
    </message>
</context>
<context>
    <name>EndPaid</name>
    <message>
        <source>{0} tidak datang?</source>
        <translation>{0} did not show up?</translation>
    </message>
    <message>
        <source>Batalkan {0}?</source>
        <translation>Cancel {0}?</translation>
    </message>
    <message>
        <source>Catat tidak datang</source>
        <translation>Record no-show</translation>
    </message>
    <message>
        <source>Batalkan booking</source>
        <translation>Cancel booking</translation>
    </message>
    <message>
        <source>Sewa kembali</source>
        <translation>Rent back</translation>
    </message>
    <message>
        <source>Sewa kembali ({0} %)</source>
        <translation>Rent back ({0}%)</translation>
    </message>
    <message>
        <source>Tidak kembali</source>
        <translation>Not given back</translation>
    </message>
    <message>
        <source>Biaya tidak datang (hari pertama)</source>
        <translation>No-show fee (first day)</translation>
    </message>
    <message>
        <source>Sudah dibayar</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Deposit kembali</source>
        <translation>Deposit back</translation>
    </message>
    <message>
        <source>Waktu ambil {0} sudah lewat: sewa hari pertama tidak kembali.</source>
        <translation>Pick-up {0} has passed: the first day's rent is kept.</translation>
    </message>
    <message>
        <source>Waktu ambil {0} sudah lewat: {1} % sewa kembali.</source>
        <translation>Pick-up {0} has passed: {1}% of the rent back.</translation>
    </message>
    <message>
        <source>Kurang dari 1 jam sebelum ambil ({0}): {1} % sewa kembali.</source>
        <translation>Less than 1 h before pick-up ({0}): {1}% of the rent back.</translation>
    </message>
    <message>
        <source>{0} sebelum ambil ({1}): {2} % sewa kembali.</source>
        <translation>{0} before pick-up ({1}): {2}% of the rent back.</translation>
    </message>
    <message>
        <source>{0} jam</source>
        <translation>{0} h</translation>
    </message>
    <message>
        <source>Tidak ada uang yang kembali.</source>
        <translation>No money goes back.</translation>
    </message>
    <message>
        <source>Dikembalikan di kasir.</source>
        <translation>Given back at the till.</translation>
    </message>
    <message>
        <source>Dikembalikan di kasir seperti dibayar: {0}.</source>
        <translation>Given back at the till the way it was paid: {0}.</translation>
    </message>
    <message>
        <source>Pesanan ini {0} unit: uang ini milik unit ini saja, yang lain tetap.</source>
        <translation>This order has {0} units: the money is this unit's alone, the others stay.</translation>
    </message>
    <message>
        <source>{0} sudah diakhiri oleh orang lain. Uang kembalinya ada di Tagihan.</source>
        <translation>{0} was ended by somebody else meanwhile. What is given back is in Invoices.</translation>
    </message>
    <message>
        <source>{0} dicatat tidak datang, {1} kosong lagi.</source>
        <translation>{0} recorded as a no-show, {1} is free again.</translation>
    </message>
    <message>
        <source>{0} dibatalkan, {1} kosong lagi.</source>
        <translation>{0} cancelled, {1} is free again.</translation>
    </message>
    <message>
        <source>{0} menunggu dikembalikan di kasir.</source>
        <translation>{0} waits to be given back at the till.</translation>
    </message>
    <message>
        <source>{0} menunggu dikembalikan di kasir ({1}).</source>
        <translation>{0} waits to be given back at the till ({1}).</translation>
    </message>
    <message>
        <source>tunai</source>
        <translation>cash</translation>
    </message>
    <message>
        <source>kartu (EDC)</source>
        <translation>card (EDC)</translation>
    </message>
    <message>
        <source>QRIS</source>
        <translation>QRIS</translation>
    </message>
    <message>
        <source>transfer bank</source>
        <translation>bank transfer</translation>
    </message>
    <message>
        <source>pembayaran daring</source>
        <translation>online payment</translation>
    </message>
    <message>
        <source>saldo pelanggan</source>
        <translation>customer credit</translation>
    </message>
    <message>
        <source>bukti potong PPh 23</source>
        <translation>PPh 23 slip</translation>
    </message>
    <message>
        <source>piutang perusahaan</source>
        <translation>company receivable</translation>
    </message>
    <message>
        <source>deposit</source>
        <translation>deposit</translation>
    </message>
</context>
<context>
    <name>EndRefused</name>
    <message>
        <source>Belum bisa dicatat tidak datang: bisa mulai {0}.</source>
        <translation>Not a no-show yet: possible from {0}.</translation>
    </message>
    <message>
        <source>Sudah ditahan paling lama, sampai {0}. Minta pembayarannya, atau batalkan (Del).</source>
        <translation>Held as long as possible already, until {0}. Ask for the payment, or cancel (Del).</translation>
    </message>
    <message>
        <source>Batas bayar sudah lewat, unit dilepas. Buat booking baru.</source>
        <translation>The payment deadline has passed, the unit is released. Make a new booking.</translation>
    </message>
    <message>
        <source>Uangnya berubah sejak ditampilkan. Belum ada yang berubah.</source>
        <translation>The money changed since it was shown. Nothing was written.</translation>
    </message>
    <message>
        <source>Terlalu sering salah. Kata sandi manajer lagi dalam {0}.</source>
        <translation>Wrong too often. The manager's password again in {0}.</translation>
    </message>
    <message>
        <source>Login atau kata sandi manajer tidak cocok, {0} kali lagi.</source>
        <translation>The manager's login or password does not match, {0} more tries.</translation>
    </message>
    <message>
        <source>Login ini bukan manajer cabang ini. Minta manajernya.</source>
        <translation>This login is no manager of this branch. Ask the manager.</translation>
    </message>
    <message>
        <source>Persetujuan tadi tidak berlaku lagi. Minta manajer mengetik sandinya sekali lagi.</source>
        <translation>That approval is no longer good. Ask the manager to type the password once more.</translation>
    </message>
</context>
<context>
    <name>EndingQuestion</name>
    <message>
        <source>Akhiri perawatan {0}?</source>
        <translation>End the maintenance of {0}?</translation>
    </message>
    <message>
        <source>Hari yang tersisa langsung kosong dan bisa dipesan.</source>
        <translation>The days that are left are free at once and can be booked.</translation>
    </message>
    <message>
        <source>Biarkan</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Akhiri perawatan</source>
        <translation>End maintenance</translation>
    </message>
    <message>
        <source>Perawatan ini baru saja berubah, jadi tidak ada yang diakhiri.</source>
        <translation>This maintenance has just changed, so nothing was ended.</translation>
    </message>
</context>
<context>
    <name>Endings</name>
    <message>
        <source>Koneksi terputus.</source>
        <translation>Connection lost.</translation>
    </message>
    <message>
        <source>Pilih booking yang menunggu bayar dulu (panah atau G).</source>
        <translation>First choose a booking that awaits payment (arrows or G).</translation>
    </message>
    <message>
        <source>Pilih booking yang sudah dibayar dan belum diserahkan (panah atau G).</source>
        <translation>First choose a booking that is paid and not handed out (arrows or G).</translation>
    </message>
    <message>
        <source>Tahan lebih lama</source>
        <translation>Hold longer</translation>
    </message>
    <message>
        <source>{0} ditahan sampai {1}, disetujui {2}.</source>
        <translation>{0} is held until {1}, approved by {2}.</translation>
    </message>
    <message>
        <source>{0} ditahan sampai {1}.</source>
        <translation>{0} is held until {1}.</translation>
    </message>
    <message>
        <source>{0} baru saja berubah di tempat lain, jadi tidak ada yang dilakukan.</source>
        <translation>{0} just changed elsewhere, so nothing was done.</translation>
    </message>
</context>
<context>
    <name>EndsCard</name>
    <message>
        <source>Sebelum ditutup</source>
        <translation>Before closing</translation>
    </message>
    <message>
        <source>Buka</source>
        <translation>Open</translation>
    </message>
    <message>
        <source>Buka: {what}</source>
        <translation>Open: {what}</translation>
    </message>
    <message>
        <source>Tidak ada kunci tagihan terbuka</source>
        <translation>No invoice locks are open</translation>
    </message>
    <message>
        <source>{count} kunci tagihan terbuka</source>
        <translation>Open invoice locks: {count}</translation>
    </message>
    <message>
        <source>Tidak ada QRIS yang menunggu</source>
        <translation>No QRIS is waiting</translation>
    </message>
    <message>
        <source>{count} QRIS menunggu dibayar</source>
        <translation>QRIS waiting for payment: {count}</translation>
    </message>
    <message>
        <source>Tidak ada transfer yang belum terverifikasi</source>
        <translation>No transfer waits to be verified</translation>
    </message>
    <message>
        <source>{count} transfer belum terverifikasi</source>
        <translation>Transfers not verified: {count}</translation>
    </message>
    <message>
        <source>{count} draf belum selesai</source>
        <translation>Unfinished drafts: {count}</translation>
    </message>
    <message>
        <source>Tidak ada draf yang belum selesai</source>
        <translation>No unfinished drafts</translation>
    </message>
</context>
<context>
    <name>EngineNotes</name>
    <message>
        <source>Layanan latar bermasalah.</source>
        <translation>The background service is in trouble.</translation>
    </message>
    <message>
        <source>Layanan latar tidak berjalan.</source>
        <translation>The background service is not running.</translation>
    </message>
    <message>
        <source>Layanan latar berhenti {time}.</source>
        <translation>The background service stopped {time}.</translation>
    </message>
    <message>
        <source>Batas bayar terlambat diproses. Menahan unit dan pembayaran tetap jalan.</source>
        <translation>Unpaid bookings end late. Holding and paying go on.</translation>
    </message>
    <message>
        <source>layanan latar tidak bekerja</source>
        <translation>background service not working</translation>
    </message>
    <message numerus="yes">
        <source>Indeks berbeda {day} {time}: %n unit, belum dibetulkan.</source>
        <translation>
            <numerusform>Index differed {day} {time}: %n unit, not repaired yet.</numerusform>
            <numerusform>Index differed {day} {time}: %n units, not repaired yet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Indeks berbeda {day} {time}: %n unit, sudah dibetulkan.</source>
        <translation>
            <numerusform>Index differed {day} {time}: %n unit, repaired.</numerusform>
            <numerusform>Index differed {day} {time}: %n units, repaired.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Failure</name>
    <message>
        <source>Ada yang tidak beres. Isian Anda tetap ada di layar ini.</source>
        <translation>Something went wrong. What you typed is still on this screen.</translation>
    </message>
    <message>
        <source>Coba lagi (F5). Bila terulang, sebutkan kode {code}.</source>
        <translation>Try again (F5). If it happens again, give the code {code}.</translation>
    </message>
</context>
<context>
    <name>Field</name>
    <message>
        <source>Pelanggan</source>
        <translation>Customer</translation>
    </message>
    <message>
        <source>Nama pelanggan</source>
        <translation>Customer name</translation>
    </message>
    <message>
        <source>Nomor telepon</source>
        <translation>Phone number</translation>
    </message>
    <message>
        <source>Nama</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Catatan</source>
        <translation>Note</translation>
    </message>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Tanggal ambil</source>
        <translation>Pick-up date</translation>
    </message>
    <message>
        <source>Tanggal kembali</source>
        <translation>Return date</translation>
    </message>
    <message>
        <source>Bulan</source>
        <translation>Month</translation>
    </message>
    <message>
        <source>Barang</source>
        <translation>Item</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>Pelat</source>
        <translation>Plate</translation>
    </message>
    <message>
        <source>Nama laci</source>
        <translation>Drawer name</translation>
    </message>
    <message>
        <source>Modal awal</source>
        <translation>Opening float</translation>
    </message>
    <message>
        <source>Pembayaran</source>
        <translation>Payment</translation>
    </message>
    <message>
        <source>Jumlah uang</source>
        <translation>Amount</translation>
    </message>
    <message>
        <source>Cara bayar</source>
        <translation>Way of paying</translation>
    </message>
    <message>
        <source>Tagihan</source>
        <translation>Invoice</translation>
    </message>
    <message>
        <source>Booking</source>
        <translation>Booking</translation>
    </message>
    <message>
        <source>Pesanan</source>
        <translation>Order</translation>
    </message>
    <message>
        <source>Nomor pembayaran</source>
        <translation>Payment number</translation>
    </message>
    <message>
        <source>Nama masuk</source>
        <translation>Login</translation>
    </message>
    <message>
        <source>Kata sandi</source>
        <translation>Password</translation>
    </message>
    <message>
        <source>Kata pencarian</source>
        <translation>Search text</translation>
    </message>
    <message>
        <source>Berkas</source>
        <translation>File</translation>
    </message>
    <message>
        <source>Tempat di antrean</source>
        <translation>Waitlist place</translation>
    </message>
    <message>
        <source>Perawatan</source>
        <translation>Maintenance</translation>
    </message>
    <message>
        <source>Kategori</source>
        <translation>Category</translation>
    </message>
    <message>
        <source>Nama kasir</source>
        <translation>Counter name</translation>
    </message>
    <message>
        <source>Sandi tersimpan</source>
        <translation>The stored password</translation>
    </message>
    <message>
        <source>Peran</source>
        <translation>Role</translation>
    </message>
    <message>
        <source>Cabang</source>
        <translation>Branch</translation>
    </message>
    <message>
        <source>Zona waktu</source>
        <translation>Time zone</translation>
    </message>
    <message>
        <source>Bahasa</source>
        <translation>Language</translation>
    </message>
    <message>
        <source>Syarat sewa</source>
        <translation>Terms of rental</translation>
    </message>
    <message>
        <source>Kepala surat</source>
        <translation>Letterhead</translation>
    </message>
    <message>
        <source>Tanggal</source>
        <translation>Date</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Tindakan</source>
        <translation>Action</translation>
    </message>
    <message>
        <source>Asal pesanan</source>
        <translation>Order source</translation>
    </message>
    <message>
        <source>Rincian harga</source>
        <translation>Price list</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Total</translation>
    </message>
    <message>
        <source>Jumlah baris</source>
        <translation>Number of rows</translation>
    </message>
    <message>
        <source>Baris berkas</source>
        <translation>File row</translation>
    </message>
    <message>
        <source>Kode penolakan</source>
        <translation>Refusal code</translation>
    </message>
    <message>
        <source>Kunci tagihan</source>
        <translation>Invoice lock</translation>
    </message>
    <message>
        <source>Waktu diam</source>
        <translation>Idle time</translation>
    </message>
    <message>
        <source>Nama layanan</source>
        <translation>Service name</translation>
    </message>
    <message>
        <source>Jenis pekerjaan</source>
        <translation>Kind of work</translation>
    </message>
    <message>
        <source>Lama pinjam pekerjaan</source>
        <translation>Length of the work's lease</translation>
    </message>
    <message>
        <source>Persetujuan</source>
        <translation>Consent</translation>
    </message>
    <message>
        <source>Hal yang disetujui</source>
        <translation>What is approved</translation>
    </message>
    <message>
        <source>Uang muka</source>
        <translation>Down payment</translation>
    </message>
    <message>
        <source>Lama menunggu (jam)</source>
        <translation>Waiting time (hours)</translation>
    </message>
    <message>
        <source>Uang yang dikembalikan</source>
        <translation>Money given back</translation>
    </message>
    <message>
        <source>Nomor catatan</source>
        <translation>Record number</translation>
    </message>
    <message>
        <source>Data ini</source>
        <translation>This record</translation>
    </message>
    <message>
        <source>Perusahaan</source>
        <translation>Company</translation>
    </message>
    <message>
        <source>Tanggal lahir</source>
        <translation>Date of birth</translation>
    </message>
    <message>
        <source>NIK</source>
        <translation>NIK</translation>
    </message>
    <message>
        <source>Nomor paspor</source>
        <translation>Passport number</translation>
    </message>
    <message>
        <source>Kewarganegaraan</source>
        <translation>Nationality</translation>
    </message>
    <message>
        <source>Nomor SIM</source>
        <translation>Licence number</translation>
    </message>
    <message>
        <source>Golongan SIM</source>
        <translation>Licence class</translation>
    </message>
    <message>
        <source>Masa berlaku SIM</source>
        <translation>Licence expiry</translation>
    </message>
    <message>
        <source>Alamat</source>
        <translation>Address</translation>
    </message>
    <message>
        <source>E-mail</source>
        <translation>E-mail</translation>
    </message>
    <message>
        <source>Tingkat pelanggan</source>
        <translation>Customer tier</translation>
    </message>
    <message>
        <source>Kode catatan</source>
        <translation>Note code</translation>
    </message>
    <message>
        <source>Nomor identitas</source>
        <translation>Identity number</translation>
    </message>
    <message>
        <source>Jenis identitas</source>
        <translation>Identity type</translation>
    </message>
    <message>
        <source>Izin lihat</source>
        <translation>Permission to see</translation>
    </message>
    <message>
        <source>Tujuan</source>
        <translation>Purpose</translation>
    </message>
    <message>
        <source>NPWP</source>
        <translation>NPWP</translation>
    </message>
    <message>
        <source>Folder ekspor</source>
        <translation>Export folder</translation>
    </message>
    <message>
        <source>Batas kredit</source>
        <translation>Credit limit</translation>
    </message>
    <message>
        <source>Jatuh tempo</source>
        <translation>Due days</translation>
    </message>
    <message>
        <source>Kunci identitas</source>
        <translation>Identity key</translation>
    </message>
    <message>
        <source>Waktu ambil</source>
        <translation>Pick-up time</translation>
    </message>
    <message>
        <source>Waktu kembali</source>
        <translation>Return time</translation>
    </message>
    <message>
        <source>Diskon</source>
        <translation>Discount</translation>
    </message>
    <message>
        <source>Kena pajak</source>
        <translation>Taxable</translation>
    </message>
    <message>
        <source>Odometer</source>
        <translation>Odometer</translation>
    </message>
    <message>
        <source>BBM</source>
        <translation>Fuel</translation>
    </message>
    <message>
        <source>Jam pakai</source>
        <translation>Hour meter</translation>
    </message>
    <message>
        <source>Aksesori</source>
        <translation>Accessories</translation>
    </message>
    <message>
        <source>Daftar periksa</source>
        <translation>Checklist</translation>
    </message>
    <message>
        <source>Kerusakan</source>
        <translation>Damage</translation>
    </message>
    <message>
        <source>Foto</source>
        <translation>Photo</translation>
    </message>
    <message>
        <source>Tanda tangan</source>
        <translation>Signature</translation>
    </message>
    <message>
        <source>Saksi</source>
        <translation>Witness</translation>
    </message>
    <message>
        <source>Alasan menolak tanda tangan</source>
        <translation>Reason for not signing</translation>
    </message>
    <message>
        <source>Waktu sebenarnya</source>
        <translation>True time</translation>
    </message>
    <message>
        <source>Tempat simpan</source>
        <translation>Storage place</translation>
    </message>
    <message>
        <source>Jaminan</source>
        <translation>Collateral</translation>
    </message>
    <message>
        <source>Denda</source>
        <translation>Charge</translation>
    </message>
    <message>
        <source>Keputusan</source>
        <translation>Decision</translation>
    </message>
    <message>
        <source>Jenis barang</source>
        <translation>Kind of item</translation>
    </message>
    <message>
        <source>Aturan denda</source>
        <translation>Charge rules</translation>
    </message>
    <message>
        <source>Nomor bukti</source>
        <translation>Reference number</translation>
    </message>
    <message>
        <source>Bank</source>
        <translation>Bank</translation>
    </message>
    <message>
        <source>Empat angka kartu</source>
        <translation>Last four digits</translation>
    </message>
    <message>
        <source>Kode persetujuan</source>
        <translation>Approval code</translation>
    </message>
    <message>
        <source>Pengirim</source>
        <translation>Sender</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Transfer</translation>
    </message>
    <message>
        <source>Saldo pelanggan</source>
        <translation>Customer credit</translation>
    </message>
    <message>
        <source>Hitungan uang</source>
        <translation>Cash count</translation>
    </message>
    <message>
        <source>Jumlah slip EDC</source>
        <translation>Number of EDC slips</translation>
    </message>
    <message>
        <source>Total EDC</source>
        <translation>EDC total</translation>
    </message>
    <message>
        <source>Draf</source>
        <translation>Drafts</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Shift</translation>
    </message>
    <message>
        <source>Pengembalian</source>
        <translation>Refund</translation>
    </message>
    <message>
        <source>Uang terlambat</source>
        <translation>Late money</translation>
    </message>
    <message>
        <source>Jawaban</source>
        <translation>Answer</translation>
    </message>
    <message>
        <source>Dokumen</source>
        <translation>Document</translation>
    </message>
    <message>
        <source>PPh 23</source>
        <translation>PPh 23</translation>
    </message>
    <message>
        <source>Bukti potong</source>
        <translation>Withholding slip</translation>
    </message>
    <message>
        <source>Nomor bukti potong</source>
        <translation>Slip number</translation>
    </message>
    <message>
        <source>Tanggal bukti potong</source>
        <translation>Slip date</translation>
    </message>
    <message>
        <source>IDTKU</source>
        <translation>IDTKU</translation>
    </message>
    <message>
        <source>NPWP cabang</source>
        <translation>Branch NPWP</translation>
    </message>
    <message>
        <source>Pengaturan</source>
        <translation>Setting</translation>
    </message>
    <message>
        <source>Nilai pengaturan</source>
        <translation>Setting value</translation>
    </message>
    <message>
        <source>Mode pembayaran daring</source>
        <translation>Online payment mode</translation>
    </message>
    <message>
        <source>Alamat database</source>
        <translation>Database address</translation>
    </message>
    <message>
        <source>Isian</source>
        <translation>Entry</translation>
    </message>
</context>
<context>
    <name>FieldWords</name>
    <message>
        <source>{0}: bukan tanggal. Contoh 30/11, besok, sen, +3.</source>
        <translation>{0}: not a date. Try 30/11, tomorrow, mon, +3.</translation>
    </message>
    <message>
        <source>{0}: bukan jumlah rupiah. Contoh 1.250.000, 1,25jt, 500rb.</source>
        <translation>{0}: not an amount. Try 1,250,000, 1.25m, 500k.</translation>
    </message>
    <message>
        <source>{0}: perlu 9-13 angka, contoh 0812-3456-7890.</source>
        <translation>{0}: needs 9-13 digits, such as 0812-3456-7890.</translation>
    </message>
</context>
<context>
    <name>FilterCard</name>
    <message>
        <source>semua</source>
        <translation>all</translation>
    </message>
    <message>
        <source>hanya baca</source>
        <translation>read only</translation>
    </message>
    <message>
        <source>Unit yang ditampilkan</source>
        <translation>Units to show</translation>
    </message>
    <message>
        <source>Kosong dari – sampai</source>
        <translation>Free from – to</translation>
    </message>
    <message>
        <source>Kategori</source>
        <translation>Category</translation>
    </message>
    <message>
        <source>Cabang</source>
        <translation>Branch</translation>
    </message>
    <message>
        <source>30/11, besok, +3. Pilih hari di grid dulu: terisi sendiri.</source>
        <translation>30/11, tomorrow, +3. Days chosen in the grid are filled in.</translation>
    </message>
    <message>
        <source>Kosong dari</source>
        <translation>Free from</translation>
    </message>
    <message>
        <source>Kosong sampai</source>
        <translation>Free to</translation>
    </message>
    <message>
        <source>Tampilkan</source>
        <translation>Show</translation>
    </message>
    <message>
        <source>Semua unit</source>
        <translation>All units</translation>
    </message>
</context>
<context>
    <name>FilterStrip</name>
    <message>
        <source>{0}, hanya baca</source>
        <translation>{0}, read only</translation>
    </message>
    <message>
        <source>Kosong {0}</source>
        <translation>Free {0}</translation>
    </message>
    <message>
        <source>Semua unit {0}</source>
        <translation>All units of {0}</translation>
    </message>
    <message>
        <source>Hapus saringan ini</source>
        <translation>Remove this filter</translation>
    </message>
    <message>
        <source>{0} dari {1} unit</source>
        <translation>{0} of {1} units</translation>
    </message>
    <message>
        <source>{0} kosong {1}</source>
        <translation>{0} free {1}</translation>
    </message>
</context>
<context>
    <name>Filters</name>
    <message>
        <source>{0}: {1} di rentang hari ini</source>
        <translation>{0}: {1} in these days</translation>
    </message>
</context>
<context>
    <name>FormFields</name>
    <message>
        <source>Pelanggan</source>
        <translation>Customer</translation>
    </message>
    <message>
        <source>Telepon atau nama</source>
        <translation>Phone or name</translation>
    </message>
    <message>
        <source>Mulai dari 4 angka telepon atau 2 huruf nama.</source>
        <translation>From 4 phone digits or 2 letters of the name.</translation>
    </message>
    <message>
        <source>Unit lagi</source>
        <translation>One more unit</translation>
    </message>
    <message>
        <source>Satu unit lagi di booking ini; satu tagihan, semua atau tidak sama sekali</source>
        <translation>One more unit in this booking; one invoice, all or nothing</translation>
    </message>
    <message>
        <source>Buang</source>
        <translation>Discard</translation>
    </message>
    <message>
        <source>Buang isian dan mulai baru</source>
        <translation>Discard this form and start anew</translation>
    </message>
    <message>
        <source>Barang</source>
        <translation>Item</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>Tanggal</source>
        <translation>Dates</translation>
    </message>
    <message>
        <source>Tanggal ambil</source>
        <translation>Pick-up date</translation>
    </message>
    <message>
        <source>Tanggal kembali</source>
        <translation>Return date</translation>
    </message>
    <message>
        <source>Lama sewa</source>
        <translation>Rental length</translation>
    </message>
    <message>
        <source>hari</source>
        <translation>days</translation>
    </message>
</context>
<context>
    <name>FormMessages</name>
    <message>
        <source>NIK belum bisa dicari. Cari dengan telepon atau nama, atau coba lagi nanti.</source>
        <translation>NIK cannot be looked up yet. Search by phone or name, or try again later.</translation>
    </message>
    <message>
        <source>NIK belum bisa disegel, layanan belum jalan. Kosongkan NIK atau coba lagi nanti.</source>
        <translation>The NIK cannot be sealed yet, the service has not run. Leave the NIK out or try again later.</translation>
    </message>
    <message>
        <source>Harga belum bisa dihitung. Yang Anda isi tersimpan sebagai draf.</source>
        <translation>The price cannot be worked out yet. What you typed is saved as a draft.</translation>
    </message>
    <message>
        <source>Belum tahu apakah unit tertahan. Tekan F9 lagi: tidak akan dobel.</source>
        <translation>Not known yet whether the unit is held. Press F9 again: it will not be doubled.</translation>
    </message>
    <message>
        <source>Kiriman ini milik booking lain, isian belum ditahan. Periksa kalender, lalu F9 lagi.</source>
        <translation>This request belongs to another booking, yours is not held. Check the calendar, press F9 again.</translation>
    </message>
    <message>
        <source>{0} Isian ini belum dikirim: F9 menahannya sebagai booking baru.</source>
        <translation>{0} This form was not sent: F9 holds it as a new booking.</translation>
    </message>
    <message>
        <source>Memeriksa dulu kiriman sebelumnya; isian ini ditahan sesudahnya.</source>
        <translation>Checking what was sent before first; this is held afterwards.</translation>
    </message>
</context>
<context>
    <name>FormPage</name>
    <message>
        <source>otomatis</source>
        <translation>any</translation>
    </message>
    <message>
        <source>terpakai</source>
        <translation>taken</translation>
    </message>
</context>
<context>
    <name>GoToDay</name>
    <message>
        <source>Ke tanggal: 30/11, besok, +7</source>
        <translation>Go to date: 30/11, tomorrow, +7</translation>
    </message>
    <message>
        <source>Ke tanggal</source>
        <translation>Go to date</translation>
    </message>
</context>
<context>
    <name>GridCorner</name>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message numerus="yes">
        <source>%n unit</source>
        <translation>
            <numerusform>%n unit</numerusform>
            <numerusform>%n units</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GridTable</name>
    <message>
        <source>Kalender unit</source>
        <translation>Unit calendar</translation>
    </message>
</context>
<context>
    <name>GridVerbs</name>
    <message>
        <source>Perawatan diubah dengan Del dan M, bukan dengan seret.</source>
        <translation>Maintenance is changed with Del and M, not by dragging.</translation>
    </message>
    <message>
        <source>Namanya belum terbaca.</source>
        <translation>Its name is not known yet.</translation>
    </message>
    <message>
        <source>Perpanjangannya belum dibayar: bayar (F9) atau tolak (Del) dulu.</source>
        <translation>Its extension is not paid: pay (F9) or refuse (Del) it first.</translation>
    </message>
    <message>
        <source> atau </source>
        <translation> or </translation>
    </message>
    <message>
        <source>Perlu peran {0}.</source>
        <translation>Needs the role {0}.</translation>
    </message>
    <message>
        <source>Mulai {0} {1}, 2 jam setelah waktu ambil.</source>
        <translation>From {0} {1}, 2 h after pick-up.</translation>
    </message>
    <message>
        <source>Tanggal ambil tidak bisa diubah: unit sudah diserahkan.</source>
        <translation>The first day cannot be changed: the unit is out.</translation>
    </message>
    <message>
        <source>Unitnya sedang disewa: menggantinya perlu peran {0}.</source>
        <translation>The unit is out: changing it needs the role {0}.</translation>
    </message>
    <message>
        <source>Tidak bisa diubah lagi: {0}.</source>
        <translation>It cannot be changed any more: {0}.</translation>
    </message>
    <message>
        <source>Lihat kartu</source>
        <translation>Show the card</translation>
    </message>
    <message>
        <source>Akhiri perawatan</source>
        <translation>End maintenance</translation>
    </message>
    <message>
        <source>Buka kartu booking</source>
        <translation>Open the booking card</translation>
    </message>
    <message>
        <source>Tidak ada yang perlu dibayar.</source>
        <translation>Nothing is to be paid.</translation>
    </message>
    <message>
        <source>Bayar</source>
        <translation>Pay</translation>
    </message>
    <message>
        <source>Perpanjang atau persingkat</source>
        <translation>Extend or shorten</translation>
    </message>
    <message>
        <source>Ubah hari terakhir</source>
        <translation>Change the last day</translation>
    </message>
    <message>
        <source>Ubah hari pertama</source>
        <translation>Change the first day</translation>
    </message>
    <message>
        <source>Pindah unit atau tanggal</source>
        <translation>Move to another unit or dates</translation>
    </message>
    <message>
        <source>Kembalikan dari parkir</source>
        <translation>Bring back from parking</translation>
    </message>
    <message>
        <source>Parkir sementara</source>
        <translation>Park for a moment</translation>
    </message>
    <message>
        <source>Tahan lebih lama</source>
        <translation>Hold longer</translation>
    </message>
    <message>
        <source>Harinya terpakai booking ini.</source>
        <translation>This booking has these days.</translation>
    </message>
    <message>
        <source>Layarnya belum ada di versi ini.</source>
        <translation>Its screen is not in this version yet.</translation>
    </message>
    <message>
        <source>Serah unit</source>
        <translation>Check out the unit</translation>
    </message>
    <message>
        <source>Terima unit</source>
        <translation>Check in the unit</translation>
    </message>
    <message>
        <source>Tolak perpanjangan</source>
        <translation>Refuse the extension</translation>
    </message>
    <message>
        <source>Batalkan booking</source>
        <translation>Cancel booking</translation>
    </message>
    <message>
        <source>Booking baru</source>
        <translation>New booking</translation>
    </message>
    <message>
        <source>Perawatan</source>
        <translation>Maintenance</translation>
    </message>
    <message>
        <source>Tidak datang</source>
        <translation>No-show</translation>
    </message>
    <message>
        <source>Hanya sebelum unitnya diserahkan.</source>
        <translation>Only before the unit is handed out.</translation>
    </message>
    <message>
        <source>Masukkan antrean</source>
        <translation>Put on the waitlist</translation>
    </message>
</context>
<context>
    <name>Hands</name>
    <message>
        <source>Pilih bar booking dulu (panah atau G).</source>
        <translation>Go to a booking's bar first (arrows or G).</translation>
    </message>
    <message>
        <source>Di sini baru saja berubah, jadi tidak ada yang dilakukan.</source>
        <translation>This place has just changed, so nothing was done.</translation>
    </message>
    <message>
        <source>Hari pertama sudah di tepi. Tekan - untuk menampilkan lebih banyak hari.</source>
        <translation>The first day is at the edge already. Press - to show more days.</translation>
    </message>
</context>
<context>
    <name>HoldLongerCard</name>
    <message>
        <source>Persetujuan manajer</source>
        <translation>Manager's approval</translation>
    </message>
    <message>
        <source>Tahan {0} lebih lama?</source>
        <translation>Hold {0} longer?</translation>
    </message>
    <message>
        <source>Ditahan sampai {0}: {1}</source>
        <translation>Held until {0}: {1}</translation>
    </message>
    <message>
        <source>batas sekarang {0}, sisa {1}</source>
        <translation>deadline now {0}, {1} left</translation>
    </message>
    <message>
        <source>Berapa jam dari sekarang</source>
        <translation>How many hours from now</translation>
    </message>
    <message>
        <source>jam</source>
        <translation>h</translation>
    </message>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>contoh: transfer bank sedang jalan</source>
        <translation>e.g. bank transfer on its way</translation>
    </message>
    <message>
        <source>Login manajer</source>
        <translation>Manager's login</translation>
    </message>
    <message>
        <source>Kata sandi manajer</source>
        <translation>Manager's password</translation>
    </message>
    <message>
        <source>Tampilkan kata sandi</source>
        <translation>Show the password</translation>
    </message>
    <message>
        <source>Kembali ke isian</source>
        <translation>Back to the form</translation>
    </message>
    <message>
        <source>Biarkan</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Menyimpan…</source>
        <translation>Saving…</translation>
    </message>
    <message>
        <source>Setujui</source>
        <translation>Approve</translation>
    </message>
    <message>
        <source>Tahan lebih lama</source>
        <translation>Hold longer</translation>
    </message>
    <message>
        <source>Menunggu jawaban server.</source>
        <translation>Waiting for the server's answer.</translation>
    </message>
    <message>
        <source>Isi lama menunggu 1-24 jam.</source>
        <translation>Enter 1-24 hours.</translation>
    </message>
    <message>
        <source>Isi alasan dulu.</source>
        <translation>Enter a reason first.</translation>
    </message>
    <message>
        <source>Belum pasti apakah sudah tersimpan. {0} ditanyakan lagi setiap 3 detik; jangan diulang.</source>
        <translation>Not certain yet whether it was saved. {0} is asked every 3 seconds; do not repeat it.</translation>
    </message>
    <message>
        <source>Sudah diperiksa: batasnya belum berubah. Isian tetap ada, tekan lagi.</source>
        <translation>Checked: the deadline has not changed yet. What you typed is still here, press again.</translation>
    </message>
    <message>
        <source>Lalu seorang manajer menyetujuinya di layar ini.</source>
        <translation>Then a manager approves it on this screen.</translation>
    </message>
</context>
<context>
    <name>HoldPage</name>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>Sewa</source>
        <translation>Rental</translation>
    </message>
    <message>
        <source>Lama</source>
        <translation>Length</translation>
    </message>
    <message>
        <source>Batas {0} {1}
unit dilepas otomatis</source>
        <translation>Until {0} {1}
then released</translation>
    </message>
    <message>
        <source>Sisa waktu tahan</source>
        <translation>Hold time left</translation>
    </message>
    <message>
        <source>Menunggu keputusan server</source>
        <translation>Waiting for the server</translation>
    </message>
    <message>
        <source>Memeriksa pembayaran terakhir…</source>
        <translation>Checking for a last payment…</translation>
    </message>
    <message>
        <source>Dibatalkan</source>
        <translation>Cancelled</translation>
    </message>
    <message>
        <source>Kedaluwarsa, unit dilepas</source>
        <translation>Expired, unit released</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Dibayar</source>
        <translation>Paid</translation>
    </message>
</context>
<context>
    <name>HoursField</name>
    <message>
        <source>sampai {0}, paling lama 24 jam sejak dibuat</source>
        <translation>until {0}, at most 24 h since it was made</translation>
    </message>
    <message>
        <source>Lama menunggu 1-24 jam, contoh 3.</source>
        <translation>Hours to wait 1-24, e.g. 3.</translation>
    </message>
</context>
<context>
    <name>HoursRow</name>
    <message>
        <source>Ambil</source>
        <translation>Pick-up</translation>
    </message>
    <message>
        <source>Jam ambil</source>
        <translation>Pick-up time</translation>
    </message>
    <message>
        <source>Kembali</source>
        <translation>Return</translation>
    </message>
    <message>
        <source>Jam kembali</source>
        <translation>Return time</translation>
    </message>
</context>
<context>
    <name>InHand</name>
    <message>
        <source>{0} dilepas: barisnya tidak ditampilkan lagi.</source>
        <translation>{0} was let go: its row is not shown any more.</translation>
    </message>
    <message>
        <source>{0} baru saja berubah, jadi dilepas. Lihat dulu keadaannya.</source>
        <translation>{0} has just changed, so it was let go. See how it stands first.</translation>
    </message>
</context>
<context>
    <name>InvoiceKind</name>
    <message>
        <source>Sewa</source>
        <translation>Rental</translation>
    </message>
    <message>
        <source>Uang muka</source>
        <translation>Down payment</translation>
    </message>
    <message>
        <source>Pelunasan</source>
        <translation>Balance</translation>
    </message>
    <message>
        <source>Perpanjangan</source>
        <translation>Extension</translation>
    </message>
    <message>
        <source>Denda</source>
        <translation>Charges</translation>
    </message>
    <message>
        <source>Denda susulan</source>
        <translation>Late charges</translation>
    </message>
</context>
<context>
    <name>InvoiceLine</name>
    <message>
        <source>Sewa {what}{days} × {rate}</source>
        <translation>Rental {what}{days} × {rate}</translation>
    </message>
    <message>
        <source>Deposit</source>
        <translation>Deposit</translation>
    </message>
    <message>
        <source>Diskon {percent} %</source>
        <translation>Discount {percent} %</translation>
    </message>
    <message>
        <source>Uang muka</source>
        <translation>Down payment</translation>
    </message>
    <message>
        <source>Pembulatan tunai</source>
        <translation>Cash rounding</translation>
    </message>
    <message>
        <source>PPN</source>
        <translation>PPN (VAT)</translation>
    </message>
    <message>
        <source>Sewa bulanan (30 hari) {what}{count} × {rate}</source>
        <translation>Monthly rental (30 days) {what}{count} × {rate}</translation>
    </message>
    <message>
        <source>Sewa mingguan (7 hari) {what}{count} × {rate}</source>
        <translation>Weekly rental (7 days) {what}{count} × {rate}</translation>
    </message>
    <message>
        <source>Sewa akhir pekan {what}{days} × {rate}</source>
        <translation>Weekend rental {what}{days} × {rate}</translation>
    </message>
    <message>
        <source>Sewa hari libur {what}{days} × {rate}</source>
        <translation>Holiday rental {what}{days} × {rate}</translation>
    </message>
</context>
<context>
    <name>InvoiceListPage</name>
    <message>
        <source>Tagihan</source>
        <translation>Invoices</translation>
    </message>
    <message>
        <source>Ketik nomor, nama, pelat</source>
        <translation>Type number, name, plate</translation>
    </message>
    <message>
        <source>Cari di daftar tagihan</source>
        <translation>Search the invoices</translation>
    </message>
    <message>
        <source>Tagihan mana</source>
        <translation>Which invoices</translation>
    </message>
    <message>
        <source>Cetak ulang</source>
        <translation>Reprint</translation>
    </message>
    <message>
        <source>Buka &amp; bayar</source>
        <translation>Open &amp; pay</translation>
    </message>
    <message>
        <source>Daftar tagihan</source>
        <translation>List of invoices</translation>
    </message>
    <message>
        <source>Belum lunas</source>
        <translation>Unpaid</translation>
    </message>
    <message>
        <source>Jatuh tempo hari ini</source>
        <translation>Due today</translation>
    </message>
    <message>
        <source>Hari ini</source>
        <translation>Today</translation>
    </message>
    <message>
        <source>Denda</source>
        <translation>Charges</translation>
    </message>
    <message>
        <source>Lunas hari ini</source>
        <translation>Paid today</translation>
    </message>
    <message>
        <source>Lunas</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Kuncinya terus diperpanjang.</source>
        <translation>The lock keeps being renewed.</translation>
    </message>
    <message>
        <source>Tidak ada yang berubah. Kami memberi tahu saat kuncinya lepas, kunci tidak diambil otomatis.</source>
        <translation>Nothing has changed. We tell you when the lock is free; it is never taken by itself.</translation>
    </message>
    <message>
        <source>Tidak ditemukan '{text}'. Esc menghapus pencarian.</source>
        <translation>Nothing found for '{text}'. Esc clears the search.</translation>
    </message>
    <message>
        <source>Tidak ada tagihan di sini. Tagihan dibuat saat unit ditahan di kalender.</source>
        <translation>No invoices here. One is made when a unit is held in the calendar.</translation>
    </message>
    <message>
        <source>Membayar hanya untuk kasir: perlu peran Kasir. Minta kasir atau manajer.</source>
        <translation>Paying is for cashiers only: it needs the Cashier role. Ask a cashier or a manager.</translation>
    </message>
    <message>
        <source>Belum bisa membuka tagihan: koneksi terputus.</source>
        <translation>Invoices cannot be opened now: no connection.</translation>
    </message>
    <message>
        <source>Sedang diproses kasir lain.</source>
        <translation>Another cashier is settling it.</translation>
    </message>
    <message>
        <source>Pilih tagihan yang belum lunas.</source>
        <translation>Choose an unpaid invoice.</translation>
    </message>
    <message>
        <source>Pilih tagihan yang sudah lunas.</source>
        <translation>Choose a paid invoice.</translation>
    </message>
</context>
<context>
    <name>InvoicePaper</name>
    <message>
        <source>Faktur</source>
        <translation>Invoice</translation>
    </message>
    <message>
        <source>BATAL</source>
        <translation>VOID</translation>
    </message>
    <message>
        <source>Belum dibayar</source>
        <translation>Not paid</translation>
    </message>
    <message>
        <source>Uang muka dibayar; sisa {amount}</source>
        <translation>Down payment paid; {amount} remain</translation>
    </message>
    <message>
        <source>Lunas</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Kepada</source>
        <translation>To</translation>
    </message>
    <message>
        <source>Nomor booking</source>
        <translation>Booking number</translation>
    </message>
    <message>
        <source>Tanggal</source>
        <translation>Date</translation>
    </message>
    <message>
        <source>Jatuh tempo</source>
        <translation>Due</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Total</translation>
    </message>
    <message>
        <source>Harga kena pajak tanpa PPN</source>
        <translation>Taxable price without PPN</translation>
    </message>
    <message>
        <source>DPP nilai lain (11/12)</source>
        <translation>DPP other value (11/12)</translation>
    </message>
    <message>
        <source>Pembayaran</source>
        <translation>Payment</translation>
    </message>
    <message>
        <source>Kasir {name} · {counter}</source>
        <translation>Cashier {name} · {counter}</translation>
    </message>
</context>
<context>
    <name>InvoicePaperKey</name>
    <message>
        <source>Pilih tagihan dulu, lalu Ctrl+Shift+I mencetak fakturnya.</source>
        <translation>Choose an invoice first; Ctrl+Shift+I prints it then.</translation>
    </message>
    <message>
        <source>{file} tersimpan</source>
        <translation>{file} saved</translation>
    </message>
    <message>
        <source>SALINAN ke-{count} tersimpan: {file}</source>
        <translation>COPY {count} saved: {file}</translation>
    </message>
    <message>
        <source>{file} tersimpan, tetapi belum tercetak: printer tidak menjawab.</source>
        <translation>{file} is saved but not printed: the printer does not answer.</translation>
    </message>
    <message>
        <source>Berkas tidak bisa ditulis ({problem}). Coba lagi dengan Ctrl+Shift+I.</source>
        <translation>The file cannot be written ({problem}). Try again with Ctrl+Shift+I.</translation>
    </message>
    <message>
        <source>Faktur dicetak setelah tagihan lunas dan bernomor.</source>
        <translation>An invoice is printed once it is paid and has its number.</translation>
    </message>
    <message>
        <source>Cetak faktur A4</source>
        <translation>Print the invoice on A4</translation>
    </message>
</context>
<context>
    <name>InvoiceState</name>
    <message>
        <source>belum lunas</source>
        <translation>unpaid</translation>
    </message>
    <message>
        <source>lunas</source>
        <translation>paid</translation>
    </message>
    <message>
        <source>batal</source>
        <translation>void</translation>
    </message>
</context>
<context>
    <name>InvoiceTableModel</name>
    <message>
        <source>No</source>
        <translation>No.</translation>
    </message>
    <message>
        <source>Jenis</source>
        <translation>Kind</translation>
    </message>
    <message>
        <source>Pelanggan</source>
        <translation>Customer</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>Jatuh tempo</source>
        <translation>Due</translation>
    </message>
    <message>
        <source>Sisa waktu</source>
        <translation>Time left</translation>
    </message>
    <message>
        <source>Dibayar pukul</source>
        <translation>Paid at</translation>
    </message>
    <message>
        <source>Sisa tagihan</source>
        <translation>Amount due</translation>
    </message>
    <message>
        <source>Dibayar</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Kunci</source>
        <translation>Lock</translation>
    </message>
    <message>
        <source>hari ini {time}</source>
        <translation>today {time}</translation>
    </message>
    <message>
        <source>Anda</source>
        <translation>You</translation>
    </message>
    <message>
        <source>aktif</source>
        <translation>active</translation>
    </message>
    <message>
        <source>tidak terkunci</source>
        <translation>not locked</translation>
    </message>
    <message>
        <source>diberi tahu saat lepas</source>
        <translation>you are told when it is free</translation>
    </message>
</context>
<context>
    <name>InvoicesFooter</name>
    <message>
        <source>Dana kembali</source>
        <translation>Money due back</translation>
    </message>
    <message numerus="yes">
        <source>%n tagihan lunas</source>
        <translation>
            <numerusform>%n paid invoice</numerusform>
            <numerusform>%n paid invoices</numerusform>
        </translation>
    </message>
    <message>
        <source>Jumlah dibayar</source>
        <translation>Total paid</translation>
    </message>
    <message numerus="yes">
        <source>%n tagihan belum lunas</source>
        <translation>
            <numerusform>%n unpaid invoice</numerusform>
            <numerusform>%n unpaid invoices</numerusform>
        </translation>
    </message>
    <message>
        <source>Jumlah sisa</source>
        <translation>Total due</translation>
    </message>
    <message numerus="yes">
        <source>%n sedang dikunci kasir lain</source>
        <translation>
            <numerusform>%n locked by another cashier</numerusform>
            <numerusform>%n locked by other cashiers</numerusform>
        </translation>
    </message>
    <message>
        <source>buka</source>
        <translation>open</translation>
    </message>
    <message>
        <source>lihat (membayar: hanya kasir)</source>
        <translation>look (paying: cashiers only)</translation>
    </message>
    <message>
        <source>pilih</source>
        <translation>choose</translation>
    </message>
    <message>
        <source>muat ulang</source>
        <translation>refresh</translation>
    </message>
</context>
<context>
    <name>InvoicesScreen</name>
    <message>
        <source>Tagihan</source>
        <translation>Invoices</translation>
    </message>
    <message>
        <source>Pembayaran sedang disimpan. Tunggu sebentar.</source>
        <translation>The payment is being saved. One moment.</translation>
    </message>
    <message>
        <source>Status pembayaran belum pasti: periksa tagihannya di daftar.</source>
        <translation>The payment's outcome is unknown: check the invoice in the list.</translation>
    </message>
    <message>
        <source>{number} {customer} sudah tidak dikunci. F9 membukanya.</source>
        <translation>{number} {customer} is free now. F9 opens it.</translation>
    </message>
    <message>
        <source>SALINAN ke-{count} tersimpan: {file}</source>
        <translation>SALINAN (copy) {count} saved: {file}</translation>
    </message>
    <message>
        <source>Kwitansi tersimpan: {file}</source>
        <translation>Receipt saved: {file}</translation>
    </message>
    <message>
        <source>{file} tersimpan di folder dokumen: {folder}</source>
        <translation>{file} saved in the documents folder: {folder}</translation>
    </message>
    <message>
        <source>Lunas. Kwitansi gagal ditulis ({why}). Ctrl+P mencoba lagi.</source>
        <translation>Paid. The receipt could not be written ({why}). Ctrl+P tries again.</translation>
    </message>
    <message>
        <source>Lunas. Struk gagal dicetak: printer tidak menjawab. {file} tersimpan; Ctrl+P mencetak ulang.</source>
        <translation>Paid. The receipt was not printed: the printer does not answer. {file} is saved; Ctrl+P prints again.</translation>
    </message>
    <message>
        <source>Bayar</source>
        <translation>Pay</translation>
    </message>
    <message>
        <source>Bayarkan</source>
        <translation>Pay out</translation>
    </message>
    <message>
        <source>Tunai</source>
        <translation>Cash</translation>
    </message>
    <message>
        <source>EDC</source>
        <translation>EDC</translation>
    </message>
    <message>
        <source>QRIS</source>
        <translation>QRIS</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Transfer</translation>
    </message>
    <message>
        <source>Bagi pembayaran</source>
        <translation>Split the payment</translation>
    </message>
    <message>
        <source>Buka &amp; bayar</source>
        <translation>Open &amp; pay</translation>
    </message>
    <message>
        <source>Kami beri tahu saat kuncinya lepas.</source>
        <translation>We tell you when the lock is free.</translation>
    </message>
    <message>
        <source>Lihat</source>
        <translation>Look</translation>
    </message>
    <message>
        <source>Cetak ulang</source>
        <translation>Reprint</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Spasi</source>
        <translation>Space</translation>
    </message>
</context>
<context>
    <name>Kwitansi</name>
    <message>
        <source>Kwitansi</source>
        <translation>Receipt</translation>
    </message>
    <message>
        <source>SALINAN ke-{count}</source>
        <translation>COPY no. {count}</translation>
    </message>
    <message>
        <source>Cabang {name} ({code})</source>
        <translation>Branch {name} ({code})</translation>
    </message>
    <message>
        <source>Terima dari</source>
        <translation>Received from</translation>
    </message>
    <message>
        <source>Untuk sewa</source>
        <translation>For the rental of</translation>
    </message>
    <message>
        <source>Masa sewa</source>
        <translation>Rental days</translation>
    </message>
    <message>
        <source>Uang muka; sisa yang harus dilunasi</source>
        <translation>Down payment; still to be paid</translation>
    </message>
    <message>
        <source>termasuk PPN 12 % × DPP</source>
        <translation>including PPN (VAT) 12 % × DPP</translation>
    </message>
    <message>
        <source>DPP (11/12 dari harga tanpa PPN)</source>
        <translation>DPP, tax base (11/12 of the price without PPN)</translation>
    </message>
    <message>
        <source>(dikembalikan saat selesai)</source>
        <translation>(returned at the end)</translation>
    </message>
    <message>
        <source>Tunai diterima</source>
        <translation>Cash received</translation>
    </message>
    <message>
        <source>Kembalian</source>
        <translation>Change</translation>
    </message>
    <message>
        <source>Menjadi saldo pelanggan</source>
        <translation>Kept as customer credit</translation>
    </message>
    <message>
        <source>Jumlah dibayar</source>
        <translation>Total paid</translation>
    </message>
    <message>
        <source>Terbilang</source>
        <translation>In words</translation>
    </message>
    <message>
        <source>Kasir</source>
        <translation>Cashier</translation>
    </message>
    <message>
        <source>Meterai Rp 10.000: jumlah di atas Rp 5.000.000, bubuhkan meterai dan tanda tangani di atasnya.</source>
        <translation>Duty stamp Rp 10,000: the amount is above Rp 5,000,000; stick the stamp here and sign across it.</translation>
    </message>
    <message>
        <source>Simpan kwitansi ini sampai deposit dikembalikan.</source>
        <translation>Keep this receipt until the deposit is returned.</translation>
    </message>
    <message>
        <source>Perlu meterai Rp 10.000: minta kwitansi A5.</source>
        <translation>Needs a duty stamp of Rp 10,000: ask for the A5 receipt.</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>Keterangan: {0}</source>
        <translation>Legend: {0}</translation>
    </message>
    <message>
        <source>Tampilkan hanya {0}</source>
        <translation>Show only {0}</translation>
    </message>
    <message>
        <source>{0} status lagi</source>
        <translation>{0} more statuses</translation>
    </message>
    <message>
        <source>Jeda</source>
        <translation>Turnaround</translation>
    </message>
    <message>
        <source>Terisi, tanpa nama</source>
        <translation>Taken, no names</translation>
    </message>
</context>
<context>
    <name>LockCard</name>
    <message>
        <source>Pindahkan ke sini</source>
        <translation>Move it here</translation>
    </message>
    <message>
        <source>Beri tahu saya</source>
        <translation>Tell me</translation>
    </message>
    <message>
        <source>Lihat saja</source>
        <translation>View only</translation>
    </message>
    <message>
        <source>Tutup</source>
        <translation>Close</translation>
    </message>
</context>
<context>
    <name>LoginHeading</name>
    <message>
        <source>Masuk</source>
        <translation>Log in</translation>
    </message>
</context>
<context>
    <name>LoginSide</name>
    <message>
        <source>Tidak bisa disiapkan (kode {code}).</source>
        <translation>Could not be prepared (code {code}).</translation>
    </message>
    <message>
        <source>Menyiapkan server…</source>
        <translation>Preparing the servers…</translation>
    </message>
    <message>
        <source>di PC ini, siap</source>
        <translation>on this PC, ready</translation>
    </message>
    <message>
        <source>PC ini</source>
        <translation>This PC</translation>
    </message>
    <message>
        <source>Kasir</source>
        <translation>Till</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>PostgreSQL, Redis dan cabang contoh dinyalakan. Kira-kira 15 detik pada pemakaian pertama.</source>
        <translation>PostgreSQL, Redis and the demo branch are being started. About 15 seconds on first use.</translation>
    </message>
    <message>
        <source>Coba lagi</source>
        <translation>Try again</translation>
    </message>
    <message>
        <source>Tampilan</source>
        <translation>Display</translation>
    </message>
    <message>
        <source>Bahasa</source>
        <translation>Language</translation>
    </message>
    <message>
        <source>Warna</source>
        <translation>Colours</translation>
    </message>
    <message>
        <source>Terang</source>
        <translation>Light</translation>
    </message>
    <message>
        <source>Gelap</source>
        <translation>Dark</translation>
    </message>
</context>
<context>
    <name>LoginView</name>
    <message>
        <source>Tidak ada nama seperti itu di sini. Enter ke kata sandi, atau pilih Orang lain.</source>
        <translation>No such name here. Enter goes to the password, or choose Someone else.</translation>
    </message>
    <message>
        <source>pilih orang, atau ketik namanya; Enter ke kata sandi</source>
        <translation>choose, or type the name; Enter to the password</translation>
    </message>
    <message>
        <source>ganti orang selagi kata sandi kosong, atau Shift+Tab</source>
        <translation>another person while the password is empty, or Shift+Tab</translation>
    </message>
    <message>
        <source>Kata sandi {name}</source>
        <translation>Password of {name}</translation>
    </message>
    <message>
        <source>Kata sandi</source>
        <translation>Password</translation>
    </message>
    <message>
        <source>Caps Lock menyala</source>
        <translation>Caps Lock is on</translation>
    </message>
    <message>
        <source>Memeriksa…</source>
        <translation>Checking…</translation>
    </message>
    <message>
        <source>Menyiapkan…</source>
        <translation>Preparing…</translation>
    </message>
    <message>
        <source>Masuk</source>
        <translation>Log in</translation>
    </message>
    <message>
        <source>Server sedang disiapkan.</source>
        <translation>The servers are being prepared.</translation>
    </message>
    <message>
        <source>Tunggu {seconds} detik.</source>
        <translation>Wait {seconds} seconds.</translation>
    </message>
    <message>
        <source>Terlalu banyak percobaan. Coba lagi dalam {seconds} dtk.</source>
        <translation>Too many tries. Try again in {seconds} s.</translation>
    </message>
    <message>
        <source>Percobaan {number} dari {most}</source>
        <translation>Try {number} of {most}</translation>
    </message>
    <message>
        <source>Cabang contoh: kata sandi {name} adalah {password}</source>
        <translation>Demo branch: {name}'s password is {password}</translation>
    </message>
    <message>
        <source>Semua orang dan booking di sini rekaan</source>
        <translation>All people and bookings here are made up</translation>
    </message>
    <message>
        <source>Orang lain</source>
        <translation>Someone else</translation>
    </message>
    <message>
        <source>ketik nama masuk</source>
        <translation>type the login</translation>
    </message>
    <message>
        <source>Lima kali tidak cocok. Tunggu sebentar, atau minta manajer mengatur ulang kata sandi.</source>
        <translation>Five wrong passwords. Wait a moment, or ask a manager to reset it.</translation>
    </message>
    <message>
        <source>Kata sandi membedakan huruf besar dan kecil.</source>
        <translation>Passwords tell capital and small letters apart.</translation>
    </message>
    <message>
        <source>Nama masuk</source>
        <translation>Login</translation>
    </message>
    <message>
        <source>Lihat kata sandi</source>
        <translation>Show password</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Shift #{number} buka {time}</source>
        <translation>Shift #{number} open {time}</translation>
    </message>
    <message>
        <source>{place}: belum ada di versi ini.</source>
        <translation>{place}: not in this version yet.</translation>
    </message>
    <message>
        <source>Urungkan</source>
        <translation>Undo</translation>
    </message>
    <message>
        <source>Daftar tombol</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Cari / pindai</source>
        <translation>Search / scan</translation>
    </message>
    <message>
        <source>Muat ulang</source>
        <translation>Refresh</translation>
    </message>
    <message>
        <source>Panel berikut</source>
        <translation>Next pane</translation>
    </message>
    <message>
        <source>Panel sebelum</source>
        <translation>Previous pane</translation>
    </message>
    <message>
        <source>Perintah</source>
        <translation>Commands</translation>
    </message>
    <message>
        <source>Kunci layar</source>
        <translation>Lock screen</translation>
    </message>
    <message>
        <source>Tutup satu tingkat</source>
        <translation>Close one level</translation>
    </message>
    <message>
        <source>Ketik perintah, atau booking: ava 30/11 3h 0812…</source>
        <translation>Type a command, or a booking: ava 30/11 3h 0812…</translation>
    </message>
    <message>
        <source>Tombol yang berlaku sekarang</source>
        <translation>Keys that work now</translation>
    </message>
    <message>
        <source>Tidak ditemukan: {text}</source>
        <translation>Not found: {text}</translation>
    </message>
    <message>
        <source>Layar ini belum ada di versi ini.</source>
        <translation>This screen is not in this version yet.</translation>
    </message>
    <message>
        <source>F1 Tombol yang berlaku sekarang</source>
        <translation>F1 Keys that work now</translation>
    </message>
    <message>
        <source>Tidak ada lagi yang bisa diurungkan.</source>
        <translation>There is nothing left to undo.</translation>
    </message>
</context>
<context>
    <name>MethodStrip</name>
    <message>
        <source>Tunai</source>
        <translation>Cash</translation>
    </message>
    <message>
        <source>EDC</source>
        <translation>EDC</translation>
    </message>
    <message>
        <source>QRIS</source>
        <translation>QRIS</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Transfer</translation>
    </message>
</context>
<context>
    <name>MonthGrid</name>
    <message>
        <source>Bayar:</source>
        <translation>Paid:</translation>
    </message>
    <message>
        <source>belum</source>
        <translation>no</translation>
    </message>
    <message>
        <source>deposit</source>
        <translation>part</translation>
    </message>
    <message>
        <source>lunas</source>
        <translation>full</translation>
    </message>
    <message>
        <source>dipilih</source>
        <translation>chosen</translation>
    </message>
    <message>
        <source>di parkir sementara</source>
        <translation>in the parking lane</translation>
    </message>
    <message>
        <source>belum diketahui</source>
        <translation>not known yet</translation>
    </message>
    <message>
        <source>kosong</source>
        <translation>free</translation>
    </message>
    <message>
        <source>jeda setelah sewa</source>
        <translation>turnaround after a rental</translation>
    </message>
    <message>
        <source>terisi</source>
        <translation>taken</translation>
    </message>
    <message>
        <source>hari {0} dari {1}</source>
        <translation>day {0} of {1}</translation>
    </message>
    <message>
        <source>hari tambahan, belum dibayar</source>
        <translation>extra day, not paid yet</translation>
    </message>
    <message>
        <source>bayar: {0}</source>
        <translation>paid: {0}</translation>
    </message>
    <message>
        <source>perlu tindakan hari ini</source>
        <translation>needs action today</translation>
    </message>
    <message>
        <source>BENTROK: {0} dan {1}</source>
        <translation>CONFLICT: {0} and {1}</translation>
    </message>
    <message>
        <source>sisa {0} dari {1}</source>
        <translation>{0} of {1} left</translation>
    </message>
    <message>
        <source>ada bentrok</source>
        <translation>there is a conflict</translation>
    </message>
    <message>
        <source>hari ini</source>
        <translation>today</translation>
    </message>
    <message>
        <source>terlipat</source>
        <translation>folded</translation>
    </message>
    <message>
        <source>terbuka</source>
        <translation>open</translation>
    </message>
    <message>
        <source>{0}, {1} unit, {2}</source>
        <translation>{0}, {1} units, {2}</translation>
    </message>
    <message>
        <source>dalam perawatan</source>
        <translation>in maintenance</translation>
    </message>
    <message>
        <source>sedang keluar</source>
        <translation>out</translation>
    </message>
    <message>
        <source>ada di cabang</source>
        <translation>at the branch</translation>
    </message>
    <message>
        <source>Berhenti sebelum {0}:</source>
        <translation>Stopped before {0}:</translation>
    </message>
    <message>
        <source>hari itu sudah lewat</source>
        <translation>that day has passed</translation>
    </message>
    <message>
        <source>harinya belum diketahui</source>
        <translation>that day is not known yet</translation>
    </message>
    <message>
        <source>paling lama 365 hari</source>
        <translation>365 days at most</translation>
    </message>
    <message>
        <source>sudah terisi</source>
        <translation>already taken</translation>
    </message>
    <message>
        <source>jeda setelah sewa {0}</source>
        <translation>turnaround after rental {0}</translation>
    </message>
    <message>
        <source>{0} sampai {1}</source>
        <translation>{0} until {1}</translation>
    </message>
</context>
<context>
    <name>MoreMenu</name>
    <message>
        <source>Lainnya</source>
        <translation>More</translation>
    </message>
    <message>
        <source>{0} hari</source>
        <translation>{0} days</translation>
    </message>
    <message>
        <source>{0} (sedang tampil)</source>
        <translation>{0} (shown now)</translation>
    </message>
    <message>
        <source>Tidak muat di lebar layar ini.</source>
        <translation>Too wide for this screen.</translation>
    </message>
</context>
<context>
    <name>MovingGrid</name>
    <message>
        <source>Parkir</source>
        <translation>Parked</translation>
    </message>
</context>
<context>
    <name>NewPerson</name>
    <message>
        <source>Nama pelanggan baru</source>
        <translation>New customer's name</translation>
    </message>
    <message>
        <source>Sesuai KTP</source>
        <translation>As on the ID card</translation>
    </message>
    <message>
        <source>NIK</source>
        <translation>NIK</translation>
    </message>
    <message>
        <source>16 angka, boleh nanti</source>
        <translation>16 digits, or later</translation>
    </message>
    <message>
        <source>Golongan SIM</source>
        <translation>Licence class</translation>
    </message>
    <message>
        <source>SIM berlaku sampai</source>
        <translation>Licence valid until</translation>
    </message>
    <message>
        <source>Berlaku s.d.</source>
        <translation>Valid until</translation>
    </message>
</context>
<context>
    <name>OfflineAge</name>
    <message>
        <source>Koneksi terputus {time}.</source>
        <translation>Connection lost at {time}.</translation>
    </message>
    <message>
        <source>Coba sekarang</source>
        <translation>Try now</translation>
    </message>
    <message>
        <source>Menahan unit, kunci tagihan dan pembayaran dinonaktifkan.</source>
        <translation>Holding units, invoice locks and payments are switched off.</translation>
    </message>
    <message>
        <source>Data dari {time}, umur {age}. Menahan unit, kunci tagihan dan pembayaran dinonaktifkan.</source>
        <translation>Data from {time}, {age} old. Holding units, invoice locks and payments are switched off.</translation>
    </message>
    <message>
        <source>Mencoba sekarang…</source>
        <translation>Trying now…</translation>
    </message>
    <message>
        <source>Mencoba lagi {seconds} dtk</source>
        <translation>Trying again in {seconds} s</translation>
    </message>
    <message>
        <source>{seconds} dtk</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{minutes} mnt {seconds} dtk</source>
        <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
        <source>{hours} jam {minutes} mnt</source>
        <translation>{hours} h {minutes} min</translation>
    </message>
</context>
<context>
    <name>OpeningPage</name>
    <message>
        <source>Tutup hitungan pecahan</source>
        <translation>Close the count</translation>
    </message>
    <message>
        <source>Hitung pecahan</source>
        <translation>Count notes and coins</translation>
    </message>
</context>
<context>
    <name>OrderLines</name>
    <message>
        <source>Keluarkan dari booking ini</source>
        <translation>Take out of this booking</translation>
    </message>
    <message>
        <source>Keluarkan {0}</source>
        <translation>Take out {0}</translation>
    </message>
    <message>
        <source>otomatis</source>
        <translation>automatic</translation>
    </message>
</context>
<context>
    <name>OrderPaper</name>
    <message>
        <source>No.</source>
        <translation>No.</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>Diambil</source>
        <translation>Pick-up</translation>
    </message>
    <message>
        <source>Kembali paling lambat</source>
        <translation>Due back</translation>
    </message>
    <message>
        <source>Lama</source>
        <translation>Length</translation>
    </message>
    <message>
        <source>Odometer</source>
        <translation>Odometer</translation>
    </message>
    <message>
        <source>Uraian</source>
        <translation>Item</translation>
    </message>
    <message>
        <source>Jumlah</source>
        <translation>Amount</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Booking baru: {0}</source>
        <translation>New booking: {0}</translation>
    </message>
</context>
<context>
    <name>ParkedBookings</name>
    <message>
        <source>{0} baru saja berubah, jadi keluar dari parkir. Lihat dulu keadaannya.</source>
        <translation>{0} has just changed, so it left the parking lane. Look at it first.</translation>
    </message>
    <message>
        <source>{0} booking masih diparkir</source>
        <translation>{0} booking still parked</translation>
    </message>
    <message>
        <source>Di server tetap di unit dan tanggal lamanya.</source>
        <translation>On the server it is still on its old unit and dates.</translation>
    </message>
    <message>
        <source>Tetap di sini</source>
        <translation>Stay here</translation>
    </message>
    <message>
        <source>Kembalikan lalu tinggalkan layar ini</source>
        <translation>Put back and leave this screen</translation>
    </message>
</context>
<context>
    <name>ParkedList</name>
    <message>
        <source>Draf tidak bisa diparkir: disk PC ini penuh atau tidak bisa ditulis. Isiannya tetap di sini.</source>
        <translation>The draft cannot be parked: this PC's disk is full or cannot be written. What you typed stays here.</translation>
    </message>
    <message>
        <source>Draf yang diparkir</source>
        <translation>Parked drafts</translation>
    </message>
    <message>
        <source>Tidak ada draf yang diparkir</source>
        <translation>No parked drafts</translation>
    </message>
</context>
<context>
    <name>ParkingLane</name>
    <message>
        <source>Parkir sementara</source>
        <translation>Parking lane</translation>
    </message>
    <message>
        <source>Kembalikan semua</source>
        <translation>Bring all back</translation>
    </message>
    <message>
        <source>{0} diparkir</source>
        <translation>{0} parked</translation>
    </message>
    <message>
        <source>lepas booking di sini</source>
        <translation>drop a booking here</translation>
    </message>
    <message>
        <source>menaruh</source>
        <translation>place</translation>
    </message>
    <message>
        <source>mengembalikan</source>
        <translation>return</translation>
    </message>
    <message>
        <source>ke parkir</source>
        <translation>to the lane</translation>
    </message>
</context>
<context>
    <name>PastPart</name>
    <message>
        <source>Buka lagi shift #{number}</source>
        <translation>Reopen shift #{number}</translation>
    </message>
    <message>
        <source>Shift sebelumnya</source>
        <translation>Earlier shifts</translation>
    </message>
    <message>
        <source>Belum ada shift yang ditutup.</source>
        <translation>No shift was closed yet.</translation>
    </message>
    <message>
        <source>Alasan membuka lagi</source>
        <translation>Reason for reopening</translation>
    </message>
    <message>
        <source>Buka lagi</source>
        <translation>Reopen</translation>
    </message>
    <message>
        <source>Biarkan tertutup</source>
        <translation>Leave closed</translation>
    </message>
    <message>
        <source>Shift #{number}</source>
        <translation>Shift #{number}</translation>
    </message>
    <message>
        <source>Hitung</source>
        <translation>Count</translation>
    </message>
    <message>
        <source>Laporan Z</source>
        <translation>Z report</translation>
    </message>
    <message>
        <source>terbuka sejak {time}, {drawer}</source>
        <translation>open since {time}, {drawer}</translation>
    </message>
    <message>
        <source>{time} · tanpa selisih</source>
        <translation>{time} · no difference</translation>
    </message>
    <message>
        <source>{time} · selisih {amount}</source>
        <translation>{time} · difference {amount}</translation>
    </message>
</context>
<context>
    <name>PayCard</name>
    <message>
        <source>Sisa tagihan</source>
        <translation>Amount due</translation>
    </message>
    <message>
        <source>Sudah dibayar</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Kwitansi PDF tersimpan setelah lunas</source>
        <translation>A PDF receipt is saved once paid</translation>
    </message>
    <message>
        <source>Hanya dilihat.</source>
        <translation>View only.</translation>
    </message>
    <message>
        <source>Tidak bisa diubah sekarang.</source>
        <translation>Cannot be changed now.</translation>
    </message>
    <message>
        <source>Menyimpan…</source>
        <translation>Saving…</translation>
    </message>
    <message>
        <source>Pembayaran sedang disimpan.</source>
        <translation>The payment is being saved.</translation>
    </message>
    <message>
        <source>Kunci hilang</source>
        <translation>Lock lost</translation>
    </message>
    <message>
        <source>Kunci lagi dulu, baru bayar.</source>
        <translation>Lock again first, then pay.</translation>
    </message>
    <message>
        <source>Periksa sekarang</source>
        <translation>Check now</translation>
    </message>
    <message>
        <source>Cetak ulang</source>
        <translation>Reprint</translation>
    </message>
    <message>
        <source>Hanya kasir</source>
        <translation>Cashiers only</translation>
    </message>
    <message>
        <source>Membayar perlu peran Kasir. Minta kasir atau manajer.</source>
        <translation>Paying needs the Cashier role. Ask a cashier or a manager.</translation>
    </message>
    <message>
        <source>Hanya dilihat</source>
        <translation>View only</translation>
    </message>
    <message>
        <source>Buka dengan F9 dari daftar untuk membayar.</source>
        <translation>Open it with F9 from the list to pay.</translation>
    </message>
    <message>
        <source>Mengunci…</source>
        <translation>Locking…</translation>
    </message>
    <message>
        <source>Kunci sedang diambil.</source>
        <translation>The lock is being taken.</translation>
    </message>
    <message>
        <source>Bayar {amount}</source>
        <translation>Pay {amount}</translation>
    </message>
    <message>
        <source>Koneksi terputus: bayar lagi setelah terhubung. Yang Anda isi tetap ada.</source>
        <translation>Connection lost: pay once it is back. What you typed is still here.</translation>
    </message>
    <message>
        <source>Tunggu sampai kunci diperpanjang.</source>
        <translation>Wait until the lock is renewed.</translation>
    </message>
    <message>
        <source>Isi jumlah yang diterima, paling sedikit sebesar sisa tagihan.</source>
        <translation>Enter what was received, at least the amount due.</translation>
    </message>
    <message>
        <source>Lepas kunci</source>
        <translation>Release lock</translation>
    </message>
    <message>
        <source>Kembali ke daftar</source>
        <translation>Back to the list</translation>
    </message>
</context>
<context>
    <name>PersonButton</name>
    <message>
        <source>Tampilan terang</source>
        <translation>Light theme</translation>
    </message>
    <message>
        <source>Tampilan gelap</source>
        <translation>Dark theme</translation>
    </message>
    <message>
        <source>Kunci layar</source>
        <translation>Lock screen</translation>
    </message>
    <message>
        <source>Keluar</source>
        <translation>Log out</translation>
    </message>
    <message>
        <source>Menu {person}, {role}</source>
        <translation>Menu of {person}, {role}</translation>
    </message>
</context>
<context>
    <name>PersonLine</name>
    <message>
        <source>{0}x sewa</source>
        <translation>{0}x rented</translation>
    </message>
</context>
<context>
    <name>Pointing</name>
    <message>
        <source>Cabang lain hanya bisa dilihat.</source>
        <translation>Other branches can only be looked at.</translation>
    </message>
    <message>
        <source>Koneksi terputus.</source>
        <translation>The connection is lost.</translation>
    </message>
    <message>
        <source>Menerima pembayaran perlu peran Kasir.</source>
        <translation>Taking payments needs the Cashier role.</translation>
    </message>
    <message>
        <source>Belum bisa membayar: koneksi terputus.</source>
        <translation>Cannot take the payment yet: the connection is down.</translation>
    </message>
    <message>
        <source>Membatalkan yang sudah dibayar perlu peran Agen.</source>
        <translation>Cancelling what is paid needs the Agent role.</translation>
    </message>
    <message>
        <source>Membatalkan perlu peran Agen atau Kasir.</source>
        <translation>Cancelling needs the role Agent or Cashier.</translation>
    </message>
    <message>
        <source>Belum bisa membatalkan: koneksi terputus.</source>
        <translation>Cannot cancel yet: connection lost.</translation>
    </message>
</context>
<context>
    <name>PreviewCard</name>
    <message>
        <source>Bayar</source>
        <translation>Pay</translation>
    </message>
    <message>
        <source>Batalkan booking</source>
        <translation>Cancel booking</translation>
    </message>
</context>
<context>
    <name>PriceBubble</name>
    <message>
        <source>Baru saja diambil:</source>
        <translation>Just taken:</translation>
    </message>
    <message>
        <source>Lepas = pilihan lain</source>
        <translation>Release = other options</translation>
    </message>
    <message>
        <source>pilihan lain</source>
        <translation>other options</translation>
    </message>
    <message>
        <source>Lepas = booking</source>
        <translation>Release = book</translation>
    </message>
    <message>
        <source>booking</source>
        <translation>book</translation>
    </message>
    <message>
        <source>batal</source>
        <translation>cancel</translation>
    </message>
</context>
<context>
    <name>PriceLines</name>
    <message>
        <source>Total sekarang</source>
        <translation>Total now</translation>
    </message>
    <message>
        <source>Harga berlaku s.d. {0}</source>
        <translation>Price valid until {0}</translation>
    </message>
</context>
<context>
    <name>QrisForm</name>
    <message>
        <source>QRIS yang dicatat tangan perlu persetujuan manajer.</source>
        <translation>A QRIS recorded by hand needs a manager's approval.</translation>
    </message>
    <message>
        <source>Nomor referensi (RRN)</source>
        <translation>Reference number (RRN)</translation>
    </message>
    <message>
        <source>Jumlah</source>
        <translation>Amount</translation>
    </message>
</context>
<context>
    <name>Quotation</name>
    <message>
        <source>Untuk</source>
        <translation>For</translation>
    </message>
    <message>
        <source>Berlaku sampai {moment}</source>
        <translation>Valid until {moment}</translation>
    </message>
    <message>
        <source>Penawaran harga</source>
        <translation>Quotation</translation>
    </message>
    <message>
        <source>Calon penyewa</source>
        <translation>Prospective customer</translation>
    </message>
    <message>
        <source>unit dipilih saat booking</source>
        <translation>unit chosen when booking</translation>
    </message>
    <message>
        <source>Uang muka saat booking</source>
        <translation>Down payment when booking</translation>
    </message>
    <message>
        <source>Sisa sampai waktu ambil</source>
        <translation>Balance until pick-up</translation>
    </message>
    <message>
        <source>di antaranya deposit, dikembalikan</source>
        <translation>of which deposit, paid back</translation>
    </message>
    <message>
        <source>Ini penawaran, bukan booking dan bukan tagihan: unit belum ditahan dan bisa dipesan orang lain.</source>
        <translation>This is a quotation, no booking and no invoice: no unit is held, and others may book it.</translation>
    </message>
    <message>
        <source>Harga {total} berlaku sampai batas waktu di atas selama tarif cabang tidak berubah.</source>
        <translation>The price of {total} holds until the time above while the branch's rates do not change.</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Kalender</source>
        <translation>Calendar</translation>
    </message>
    <message>
        <source>Booking</source>
        <translation>Bookings</translation>
    </message>
    <message>
        <source>Inspeksi</source>
        <translation>Inspection</translation>
    </message>
    <message>
        <source>Tagihan</source>
        <translation>Invoices</translation>
    </message>
    <message>
        <source>Antrean</source>
        <translation>Waitlist</translation>
    </message>
    <message>
        <source>Perawatan</source>
        <translation>Service</translation>
    </message>
    <message>
        <source>Perpanjang</source>
        <translation>Extensions</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Shift</translation>
    </message>
    <message>
        <source>Laporan</source>
        <translation>Reports</translation>
    </message>
    <message>
        <source>Setelan</source>
        <translation>Settings</translation>
    </message>
    <message>
        <source>Pelanggan</source>
        <translation>Customers</translation>
    </message>
</context>
<context>
    <name>Reach</name>
    <message>
        <source>Lambat · {standing}</source>
        <translation>Slow · {standing}</translation>
    </message>
    <message>
        <source>Menghubungi server…</source>
        <translation>Contacting the server…</translation>
    </message>
    <message>
        <source>Online {latency}</source>
        <translation>Online {latency}</translation>
    </message>
    <message>
        <source>Lambat {latency}</source>
        <translation>Slow {latency}</translation>
    </message>
    <message>
        <source>Terputus {time}</source>
        <translation>Offline {time}</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>belum diisi</source>
        <translation>is empty</translation>
    </message>
    <message>
        <source>terlalu panjang</source>
        <translation>is too long</translation>
    </message>
    <message>
        <source>berisi tanda yang tidak terlihat</source>
        <translation>contains invisible characters</translation>
    </message>
    <message>
        <source>harus berisi huruf, sesuai KTP</source>
        <translation>must contain letters, as on the ID card</translation>
    </message>
    <message>
        <source>harus 9-13 angka, contoh 0812-3456-7890</source>
        <translation>needs 9-13 digits, e.g. 0812-3456-7890</translation>
    </message>
    <message>
        <source>bukan tanggal, contoh 30/11 atau besok</source>
        <translation>is not a date, e.g. 30/11 or tomorrow</translation>
    </message>
    <message>
        <source>bukan bulan</source>
        <translation>is not a month</translation>
    </message>
    <message>
        <source>bukan jumlah rupiah, contoh 500.000 atau 500rb</source>
        <translation>is not an amount, e.g. 500,000 or 500k</translation>
    </message>
    <message>
        <source>harus angka bulat</source>
        <translation>must be a whole number</translation>
    </message>
    <message>
        <source>bukan lama waktu</source>
        <translation>is not a length of time</translation>
    </message>
    <message>
        <source>bukan kode barang</source>
        <translation>is not an item code</translation>
    </message>
    <message>
        <source>bukan kode unit</source>
        <translation>is not a unit code</translation>
    </message>
    <message>
        <source>bukan nomor pelat, contoh B 1234 XYZ</source>
        <translation>is not a plate, e.g. B 1234 XYZ</translation>
    </message>
    <message>
        <source>bukan nomor yang dikenal</source>
        <translation>is not a known number</translation>
    </message>
    <message>
        <source>bukan nama masuk</source>
        <translation>is not a login</translation>
    </message>
    <message>
        <source>belum bisa dipakai di kasir ini</source>
        <translation>is not available at this till yet</translation>
    </message>
    <message>
        <source>melebihi tagihan</source>
        <translation>is more than the invoice</translation>
    </message>
    <message>
        <source>dipilih dua kali</source>
        <translation>was chosen twice</translation>
    </message>
    <message>
        <source>harus {least}-{most} huruf</source>
        <translation>must be {least}-{most} characters</translation>
    </message>
    <message>
        <source>harus {least}-{most} baris</source>
        <translation>must be {least}-{most} lines</translation>
    </message>
    <message>
        <source>harus antara {least} dan {most}</source>
        <translation>must be between {least} and {most}</translation>
    </message>
    <message>
        <source>terlalu pendek</source>
        <translation>is too short</translation>
    </message>
    <message>
        <source>terlalu besar</source>
        <translation>is too large</translation>
    </message>
    <message>
        <source>terlalu besar untuk dikembalikan</source>
        <translation>is too much to give change for</translation>
    </message>
    <message>
        <source>terlambat untuk tautan: sisa waktunya kurang dari 5 menit</source>
        <translation>too late for a link: less than 5 minutes remain</translation>
    </message>
    <message>
        <source>tidak dikenal</source>
        <translation>is not known</translation>
    </message>
    <message>
        <source>sudah dipakai</source>
        <translation>is in use already</translation>
    </message>
    <message>
        <source>harus berisi catatan yang bisa dibaca</source>
        <translation>needs a note that can be read</translation>
    </message>
    <message>
        <source>harus berisi kata-kata</source>
        <translation>needs words</translation>
    </message>
    <message>
        <source>bukan nomor bukti bayar</source>
        <translation>is not a payment reference</translation>
    </message>
    <message>
        <source>harus berisi nama laci, paling banyak 40 huruf</source>
        <translation>needs a drawer name of at most 40 characters</translation>
    </message>
    <message>
        <source>harus berisi huruf atau angka</source>
        <translation>needs letters or digits</translation>
    </message>
    <message>
        <source>bukan peran yang ada</source>
        <translation>is not a role</translation>
    </message>
    <message>
        <source>tidak bisa dibaca</source>
        <translation>cannot be read</translation>
    </message>
    <message>
        <source>terlalu lemah, paling sedikit {least} putaran</source>
        <translation>is too weak, at least {least} rounds are needed</translation>
    </message>
    <message>
        <source>bukan status unit: IN_SERVICE, MAINTENANCE atau RETIRED</source>
        <translation>is not a unit status: IN_SERVICE, MAINTENANCE or RETIRED</translation>
    </message>
    <message>
        <source>bukan status booking</source>
        <translation>is not a booking state</translation>
    </message>
    <message>
        <source>bukan asal pesanan yang ada</source>
        <translation>is not an order source</translation>
    </message>
    <message>
        <source>bukan cara bayar</source>
        <translation>is not a way to pay</translation>
    </message>
    <message>
        <source>bukan bahasa yang ada: id atau en</source>
        <translation>is not a language: id or en</translation>
    </message>
    <message>
        <source>bukan zona waktu Indonesia, contoh Asia/Jakarta</source>
        <translation>is not an Indonesian time zone, e.g. Asia/Jakarta</translation>
    </message>
    <message>
        <source>bukan kode cabang, contoh JKT</source>
        <translation>is not a branch code, e.g. JKT</translation>
    </message>
    <message>
        <source>bukan kunci yang sah</source>
        <translation>is not a valid key</translation>
    </message>
    <message>
        <source>bukan nomor kunci</source>
        <translation>is not a lock number</translation>
    </message>
    <message>
        <source>bukan nama layanan</source>
        <translation>is not a service name</translation>
    </message>
    <message>
        <source>harus angka</source>
        <translation>must be a number</translation>
    </message>
    <message>
        <source>harus jumlah rupiah</source>
        <translation>must be an amount in rupiah</translation>
    </message>
    <message>
        <source>bukan tanggal dan jam</source>
        <translation>is not a date and time</translation>
    </message>
    <message>
        <source>harus ya atau tidak</source>
        <translation>must be yes or no</translation>
    </message>
    <message>
        <source>harus berisi teks</source>
        <translation>must be text</translation>
    </message>
    <message>
        <source>harus berupa daftar</source>
        <translation>must be a list</translation>
    </message>
    <message>
        <source>harus berupa kelompok isian</source>
        <translation>must be a group of fields</translation>
    </message>
    <message>
        <source>harus berupa daftar teks</source>
        <translation>must be a list of texts</translation>
    </message>
    <message>
        <source>bukan base64</source>
        <translation>is not base64</translation>
    </message>
    <message>
        <source>bukan isian yang dikenal</source>
        <translation>is not a known field</translation>
    </message>
    <message>
        <source>tidak sah</source>
        <translation>is not valid</translation>
    </message>
    <message>
        <source>tidak dicatat</source>
        <translation>is not recorded</translation>
    </message>
    <message>
        <source>tidak menunggu lagi</source>
        <translation>is no longer waiting</translation>
    </message>
    <message>
        <source>tidak bisa dihentikan selama unitnya masih dipesan</source>
        <translation>cannot be retired while the unit has bookings</translation>
    </message>
    <message>
        <source>tidak lengkap</source>
        <translation>is incomplete</translation>
    </message>
    <message>
        <source>tidak sesuai tanggal sewanya</source>
        <translation>does not fit the rental dates</translation>
    </message>
    <message>
        <source>tidak sama dengan daftar harga</source>
        <translation>does not match the price list</translation>
    </message>
    <message>
        <source>tidak sama dengan jumlah barisnya</source>
        <translation>does not match the sum of its lines</translation>
    </message>
    <message>
        <source>bukan unit yang diberikan</source>
        <translation>is not the unit that was given</translation>
    </message>
    <message>
        <source>milik cabang lain</source>
        <translation>belongs to another branch</translation>
    </message>
    <message>
        <source>tidak bisa diganti pada unit yang sudah ada</source>
        <translation>cannot be changed for a unit that exists</translation>
    </message>
    <message>
        <source>sudah ada dengan huruf besar kecil yang lain</source>
        <translation>exists already in other upper and lower case</translation>
    </message>
    <message>
        <source>berbeda dari baris sebelumnya di berkas</source>
        <translation>differs from an earlier row of the file</translation>
    </message>
    <message>
        <source>ada dua kali di berkas</source>
        <translation>stands twice in the file</translation>
    </message>
    <message>
        <source>punya kolom terlalu banyak atau terlalu sedikit</source>
        <translation>has too many or too few columns</translation>
    </message>
    <message>
        <source>tidak punya semua kolom</source>
        <translation>lacks columns</translation>
    </message>
    <message>
        <source>punya kolom yang sama dua kali</source>
        <translation>has a column twice</translation>
    </message>
    <message>
        <source>bukan CSV</source>
        <translation>is not CSV</translation>
    </message>
    <message>
        <source>bukan teks UTF-8</source>
        <translation>is not UTF-8 text</translation>
    </message>
    <message>
        <source>punya tanda kutip yang tidak ditutup</source>
        <translation>has a quote that is not closed</translation>
    </message>
    <message>
        <source>punya tanda kutip di tempat yang salah</source>
        <translation>has a quote in the wrong place</translation>
    </message>
    <message>
        <source>hanya boleh berisi angka</source>
        <translation>may hold digits only</translation>
    </message>
    <message>
        <source>harus {exactly} angka, baru {length}</source>
        <translation>must be {exactly} digits, {length} so far</translation>
    </message>
    <message>
        <source>harus 6-9 huruf dan angka</source>
        <translation>must be 6-9 letters and digits</translation>
    </message>
    <message>
        <source>harus 5-20 huruf dan angka</source>
        <translation>must be 5-20 letters and digits</translation>
    </message>
    <message>
        <source>bukan nomor KTP, paspor atau SIM</source>
        <translation>is not a number of an ID card, passport or licence</translation>
    </message>
    <message>
        <source>harus 15 atau 16 angka</source>
        <translation>must be 15 or 16 digits</translation>
    </message>
    <message>
        <source>harus seperti nama@contoh.id</source>
        <translation>must look like name@example.id</translation>
    </message>
    <message>
        <source>harus dua huruf negara, contoh ID</source>
        <translation>must be two letters of a country, e.g. ID</translation>
    </message>
    <message>
        <source>bukan tanggal lahir yang mungkin</source>
        <translation>is not a possible date of birth</translation>
    </message>
    <message>
        <source>bukan golongan SIM, contoh A atau B1 UMUM</source>
        <translation>is not a licence class, e.g. A or B1 UMUM</translation>
    </message>
    <message>
        <source>bukan tingkat pelanggan yang ada</source>
        <translation>is not a customer tier</translation>
    </message>
    <message>
        <source>harus dua angka, selain 01</source>
        <translation>must be two digits other than 01</translation>
    </message>
    <message>
        <source>baru saja diubah orang lain</source>
        <translation>was changed by somebody else just now</translation>
    </message>
    <message>
        <source>tidak tersamar</source>
        <translation>is not masked</translation>
    </message>
    <message>
        <source>tidak tersegel</source>
        <translation>is not sealed</translation>
    </message>
    <message>
        <source>bukan daftar harga yang bisa dibaca</source>
        <translation>is not a price list that can be read</translation>
    </message>
    <message>
        <source>bukan jam, contoh 14.05</source>
        <translation>is not a time, e.g. 14:05</translation>
    </message>
    <message>
        <source>bukan kode unit yang bisa dibaca</source>
        <translation>is not a unit code that can be read</translation>
    </message>
    <message>
        <source>harus ya untuk tambahan per hari</source>
        <translation>must be yes for an extra that is charged per day</translation>
    </message>
    <message>
        <source>kurang dari yang ditentukan untuk barang ini</source>
        <translation>is less than this item asks for</translation>
    </message>
    <message>
        <source>belum terjadi menurut jam server</source>
        <translation>has not happened yet by the server's clock</translation>
    </message>
    <message>
        <source>lebih awal dari langkah sebelumnya</source>
        <translation>is earlier than the step before</translation>
    </message>
    <message>
        <source>lebih kecil dari saat serah, paling sedikit {least}</source>
        <translation>is lower than at hand-over, at least {least}</translation>
    </message>
    <message>
        <source>tidak ada pada barang ini</source>
        <translation>is not there on this item</translation>
    </message>
    <message>
        <source>dihitung sendiri oleh aturan denda</source>
        <translation>is computed by the charge rules</translation>
    </message>
    <message>
        <source>harus empat angka terakhir kartu</source>
        <translation>must be the last four digits of the card</translation>
    </message>
    <message>
        <source>harus kode persetujuan 6 angka dari struk EDC</source>
        <translation>must be the 6-digit approval code on the terminal's slip</translation>
    </message>
    <message>
        <source>belum terlihat di rekening</source>
        <translation>has not been seen in the account yet</translation>
    </message>
    <message>
        <source>hanya untuk penyewa dari perusahaan</source>
        <translation>is for renters of a company only</translation>
    </message>
    <message>
        <source>tidak bisa mengurangi utang yang sudah ditagih atau dibayar</source>
        <translation>cannot lower a debt that was billed or paid already</translation>
    </message>
    <message>
        <source>tidak sama dengan PPh 23 yang dihitung</source>
        <translation>is not the PPh 23 as it is computed</translation>
    </message>
    <message>
        <source>sudah dikembalikan gateway ke pembayarnya</source>
        <translation>was given back to its payer by the gateway already</translation>
    </message>
    <message>
        <source>melebihi saldo pelanggan</source>
        <translation>is more than the customer's credit</translation>
    </message>
    <message>
        <source>melebihi batas kredit perusahaan</source>
        <translation>is beyond the company's credit limit</translation>
    </message>
    <message>
        <source>melebihi sisa deposit</source>
        <translation>is more than what is left of the deposit</translation>
    </message>
    <message>
        <source>melebihi isi laci</source>
        <translation>is more than the drawer holds</translation>
    </message>
    <message>
        <source>bukan jumlah lembar uang yang ada</source>
        <translation>is not a count of existing notes and coins</translation>
    </message>
    <message>
        <source>dihitung sebelum uang di laci berubah</source>
        <translation>was counted before the cash in the drawer changed</translation>
    </message>
    <message>
        <source>tidak punya piutang yang belum ditagih</source>
        <translation>has no debt that is not billed yet</translation>
    </message>
    <message>
        <source>bukan nilai yang bisa dipakai</source>
        <translation>is not a value that can be used</translation>
    </message>
    <message>
        <source>harus 22 angka</source>
        <translation>must be 22 digits</translation>
    </message>
    <message>
        <source>sudah dibayarkan</source>
        <translation>has been paid out already</translation>
    </message>
    <message>
        <source>sudah dibayar</source>
        <translation>has been paid already</translation>
    </message>
    <message>
        <source>bukan mode pembayaran daring yang ada</source>
        <translation>is not a mode of online payment</translation>
    </message>
    <message>
        <source>belum dimulai</source>
        <translation>has not begun yet</translation>
    </message>
    <message>
        <source>sudah lewat</source>
        <translation>has passed</translation>
    </message>
    <message>
        <source>habis {expires_on}, padahal unit baru {last_day} kembali</source>
        <translation>ends {expires_on}, and until {last_day} the unit is out</translation>
    </message>
    <message>
        <source>masih disiapkan sampai {last_day}, jadi baru {possible} bisa diambil</source>
        <translation>is being made ready until {last_day}, so from {possible} on it can be picked up</translation>
    </message>
    <message>
        <source>melewati jam unit harus kembali, paling lama {most}</source>
        <translation>goes past the hour when the unit is due, at most {most}</translation>
    </message>
    <message>
        <source>tidak bisa dipakai</source>
        <translation>cannot be used</translation>
    </message>
</context>
<context>
    <name>RecordCard</name>
    <message>
        <source>Persetujuan data</source>
        <translation>Data consent</translation>
    </message>
    <message>
        <source>Tampilkan {paper}</source>
        <translation>Show {paper}</translation>
    </message>
    <message>
        <source>Disetujui pelanggan</source>
        <translation>Given by the customer</translation>
    </message>
    <message>
        <source>Belum</source>
        <translation>Not yet</translation>
    </message>
    <message>
        <source>Buang perubahan</source>
        <translation>Discard changes</translation>
    </message>
    <message>
        <source>Simpan</source>
        <translation>Save</translation>
    </message>
    <message>
        <source>Menyimpan…</source>
        <translation>Saving…</translation>
    </message>
    <message>
        <source>Perusahaan baru</source>
        <translation>New company</translation>
    </message>
    <message>
        <source>Pelanggan baru</source>
        <translation>New customer</translation>
    </message>
    <message>
        <source>{0}x sewa</source>
        <translation>{0}x rented</translation>
    </message>
    <message>
        <source>Batas kredit {amount}, {days} hari</source>
        <translation>Credit limit {amount}, {days} days</translation>
    </message>
    <message>
        <source>Perlu peran Agen atau Kasir.</source>
        <translation>Needs the role Agent or Cashier.</translation>
    </message>
    <message>
        <source>Hanya manajer yang mengubah ini.</source>
        <translation>Only a manager changes this.</translation>
    </message>
    <message>
        <source>Koneksi terputus. Isian ini tetap ada, simpan saat tersambung lagi.</source>
        <translation>Connection lost. What you typed is kept: save once it is back.</translation>
    </message>
    <message>
        <source>Hanya manajer atau inspektur yang melihat nomor.</source>
        <translation>Only a manager or an inspector sees numbers.</translation>
    </message>
    <message>
        <source>Belum disimpan. Isian ini tetap ada walau layar ditutup.</source>
        <translation>Not saved yet. What you typed stays even if the screen is closed.</translation>
    </message>
    <message>
        <source>Buka {name}</source>
        <translation>Open {name}</translation>
    </message>
    <message>
        <source>Belum disimpan. Perbaiki: {names}.</source>
        <translation>Not saved. Correct: {names}.</translation>
    </message>
    <message>
        <source>Tampil 30 detik, lalu tersamar lagi.</source>
        <translation>Shown for 30 seconds, then masked again.</translation>
    </message>
</context>
<context>
    <name>RefundPaper</name>
    <message>
        <source>Bukti pengembalian uang</source>
        <translation>Refund slip</translation>
    </message>
    <message>
        <source>Dikembalikan</source>
        <translation>Given back</translation>
    </message>
    <message>
        <source>Kepada</source>
        <translation>To</translation>
    </message>
    <message>
        <source>Booking</source>
        <translation>Booking</translation>
    </message>
    <message>
        <source>Dari tagihan</source>
        <translation>Of invoice</translation>
    </message>
    <message>
        <source>Deposit</source>
        <translation>Deposit</translation>
    </message>
    <message>
        <source>Untuk</source>
        <translation>For</translation>
    </message>
    <message>
        <source>Cara</source>
        <translation>By</translation>
    </message>
    <message>
        <source>Dibayarkan</source>
        <translation>Paid out</translation>
    </message>
    <message>
        <source>Kasir</source>
        <translation>Cashier</translation>
    </message>
    <message>
        <source>Penerima</source>
        <translation>Received by</translation>
    </message>
</context>
<context>
    <name>RefundsKey</name>
    <message>
        <source>Dana kembali</source>
        <translation>Money due back</translation>
    </message>
    <message>
        <source>Dana kembali: {amount}</source>
        <translation>Due back: {amount}</translation>
    </message>
</context>
<context>
    <name>RefundsPage</name>
    <message>
        <source>{name}: kembalikan {amount}</source>
        <translation>{name}: pay back {amount}</translation>
    </message>
    <message>
        <source>Kembalikan {amount}</source>
        <translation>Pay back {amount}</translation>
    </message>
    <message>
        <source>Dana kembali</source>
        <translation>Money due back</translation>
    </message>
    <message>
        <source>Tagihan</source>
        <translation>Invoices</translation>
    </message>
    <message>
        <source>Nomor referensi</source>
        <translation>Reference number</translation>
    </message>
    <message>
        <source>Bank</source>
        <translation>Bank</translation>
    </message>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Cara ini perlu persetujuan manajer.</source>
        <translation>This way needs a manager's approval.</translation>
    </message>
    <message>
        <source>Batal isi</source>
        <translation>Close form</translation>
    </message>
    <message numerus="yes">
        <source>%n menunggu</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
    <message>
        <source>Tidak ada dana yang harus dikembalikan.</source>
        <translation>No money is due back.</translation>
    </message>
    <message>
        <source>Kembalikan</source>
        <translation>Pay back</translation>
    </message>
    <message>
        <source>sejak {day}</source>
        <translation>since {day}</translation>
    </message>
    <message>
        <source>deposit</source>
        <translation>deposit</translation>
    </message>
    <message>
        <source>dibayar lewat {ways}</source>
        <translation>paid by {ways}</translation>
    </message>
    <message>
        <source>Perlu peran Kasir.</source>
        <translation>The Cashier role is needed.</translation>
    </message>
    <message>
        <source>Koneksi terputus.</source>
        <translation>Connection lost.</translation>
    </message>
    <message>
        <source>{amount} dikembalikan ke {name} ({way}), {number}.</source>
        <translation>{amount} paid back to {name} ({way}), {number}.</translation>
    </message>
    <message>
        <source>Uang tunai keluar dari laci Anda: buka shift dulu.</source>
        <translation>Cash comes out of your drawer: open a shift first.</translation>
    </message>
</context>
<context>
    <name>Refusal</name>
    <message>
        <source>{what} tidak bisa dipesan {days}.</source>
        <translation>{what} cannot be booked {days}.</translation>
    </message>
    <message>
        <source>Tidak ada {what} kosong pada {days}.</source>
        <translation>No {what} is free {days}.</translation>
    </message>
    <message>
        <source>Tanggal itu sudah terpakai.</source>
        <translation>Those dates are taken.</translation>
    </message>
    <message>
        <source>Pilih unit atau tanggal lain.</source>
        <translation>Choose another unit or other dates.</translation>
    </message>
    <message>
        <source>{days} dalam perawatan.</source>
        <translation>{days} in maintenance.</translation>
    </message>
    <message>
        <source>{days} terpakai.</source>
        <translation>{days} taken.</translation>
    </message>
    <message>
        <source>{days} dipakai {number} ({who}).</source>
        <translation>{days} taken by {number} ({who}).</translation>
    </message>
    <message>
        <source>Unit ini sedang tidak disewakan.</source>
        <translation>This unit is not for rent now.</translation>
    </message>
    <message>
        <source>Unit {what} sedang tidak disewakan.</source>
        <translation>Unit {what} is not for rent now.</translation>
    </message>
    <message>
        <source>Pilih unit lain.</source>
        <translation>Choose another unit.</translation>
    </message>
    <message>
        <source>Tanggal kembali harus pada atau setelah tanggal ambil.</source>
        <translation>The return date must be on or after the pick-up date.</translation>
    </message>
    <message>
        <source>Tanggal ambil sudah lewat.</source>
        <translation>The pick-up date is in the past.</translation>
    </message>
    <message>
        <source>Tanggal ambil paling jauh {limit} hari dari hari ini.</source>
        <translation>The pick-up date is at most {limit} days from today.</translation>
    </message>
    <message>
        <source>Lama sewa 1-{limit} hari.</source>
        <translation>Rental length is 1-{limit} days.</translation>
    </message>
    <message>
        <source>Perbaiki {field}.</source>
        <translation>Correct the {field}.</translation>
    </message>
    <message>
        <source>{number} baru saja diubah.</source>
        <translation>{number} was just changed.</translation>
    </message>
    <message>
        <source>Tidak bisa lagi: statusnya sekarang {state}.</source>
        <translation>Not possible any more: the state is now {state}.</translation>
    </message>
    <message>
        <source>Statusnya sudah berubah.</source>
        <translation>The state has changed.</translation>
    </message>
    <message>
        <source>Muat ulang (F5) untuk keadaan terbaru.</source>
        <translation>Refresh (F5) to see the latest.</translation>
    </message>
    <message>
        <source>Batas bayar sudah lewat, unit dilepas.</source>
        <translation>The payment deadline has passed, the unit was released.</translation>
    </message>
    <message>
        <source>Tidak ada yang dibayar. Buat booking baru bila unit masih kosong.</source>
        <translation>Nothing was paid. Make a new booking if the unit is still free.</translation>
    </message>
    <message>
        <source>Paling lama {left} lagi.</source>
        <translation>At most {left} more.</translation>
    </message>
    <message>
        <source>Anda membukanya di {counter}.</source>
        <translation>You have it open on {counter}.</translation>
    </message>
    <message>
        <source>Pindahkan ke sini bila Anda ingin melanjutkan di layar ini.</source>
        <translation>Move it here to go on at this screen.</translation>
    </message>
    <message>
        <source>Kunci hilang. Pembayaran belum disimpan.</source>
        <translation>Lock lost. Nothing was saved.</translation>
    </message>
    <message>
        <source>Yang Anda isi tetap ada. Jangan menagih ulang sebelum terkunci.</source>
        <translation>What you typed is still here. Do not charge again until it is locked.</translation>
    </message>
    <message>
        <source>Tagihan {number} sedang diproses {who} sejak {since}.</source>
        <translation>Invoice {number} is being settled by {who} since {since}.</translation>
    </message>
    <message>
        <source>Kelas unit {what} lebih rendah dari yang dipesan.</source>
        <translation>Unit {what} is of a lower class than what was booked.</translation>
    </message>
    <message>
        <source>Pilih unit yang sekelas atau lebih baik; harganya tetap.</source>
        <translation>Choose a unit of the same class or a better one; the price stays.</translation>
    </message>
    <message>
        <source>Unit {what} sudah tidak disewakan lagi.</source>
        <translation>Unit {what} is no longer for rent.</translation>
    </message>
    <message>
        <source>Unit {what} sedang dalam perawatan.</source>
        <translation>Unit {what} is in maintenance now.</translation>
    </message>
    <message>
        <source>Unit {what} milik cabang lain.</source>
        <translation>Unit {what} belongs to another branch.</translation>
    </message>
    <message>
        <source>Pilih unit cabang ini.</source>
        <translation>Choose a unit of this branch.</translation>
    </message>
    <message>
        <source>Tanggal kembali sudah lewat.</source>
        <translation>The return date has passed.</translation>
    </message>
    <message>
        <source>Sewa sudah berjalan: tanggal ambilnya tetap.</source>
        <translation>The rental is under way: its pick-up date stays.</translation>
    </message>
    <message>
        <source>Sewa sudah berjalan: ganti unit dan tanggal satu per satu.</source>
        <translation>The rental is under way: change unit and dates one after the other.</translation>
    </message>
    <message>
        <source>Perpanjangan harus melewati tanggal kembali yang sekarang.</source>
        <translation>An extension must go beyond the present return date.</translation>
    </message>
    <message>
        <source>Hari itu sudah dibayar: tarik kembali tanpa tagihan baru.</source>
        <translation>Those days are paid: take them back without a new invoice.</translation>
    </message>
    <message>
        <source>Hari itu belum dibayar: minta perpanjangan.</source>
        <translation>Those days are not paid: ask for an extension.</translation>
    </message>
    <message>
        <source>Sewa tidak bisa lebih murah dari uang muka yang terbuka.</source>
        <translation>A rental cannot cost less than its open down payment.</translation>
    </message>
    <message>
        <source>Hari terakhir harus sebelum akhir yang sekarang.</source>
        <translation>The last day must be before the present end.</translation>
    </message>
    <message>
        <source>Tanggal itu di luar tahun {least}-{most}.</source>
        <translation>That date is outside the years {least}-{most}.</translation>
    </message>
    <message>
        <source>Tanggal itu tidak bisa dipakai.</source>
        <translation>Those dates cannot be used.</translation>
    </message>
    <message>
        <source>{number} baru saja diubah {who}.</source>
        <translation>{number} was just changed by {who}.</translation>
    </message>
    <message>
        <source>Tidak ada yang diubah dari sini. Lihat dulu keadaannya sekarang.</source>
        <translation>Nothing was changed from here. See how it stands now first.</translation>
    </message>
    <message>
        <source>Tagihan ini sedang diproses di kasir lain.</source>
        <translation>This invoice is being settled at another till.</translation>
    </message>
    <message>
        <source>Coba lagi setelah selesai.</source>
        <translation>Try again when it is done.</translation>
    </message>
    <message>
        <source>Anda membukanya di jendela lain.</source>
        <translation>You have it open in another window.</translation>
    </message>
    <message>
        <source>Tagihannya sedang diproses di kasir lain.</source>
        <translation>Its invoice is being settled at another till.</translation>
    </message>
    <message>
        <source>Tagihannya sedang diproses {who}.</source>
        <translation>Its invoice is being settled by {who}.</translation>
    </message>
    <message>
        <source>Tidak ada yang berubah. Coba lagi setelah selesai.</source>
        <translation>Nothing was changed. Try again when it is done.</translation>
    </message>
    <message>
        <source>Nama masuk atau kata sandi tidak cocok.</source>
        <translation>Login and password do not match.</translation>
    </message>
    <message>
        <source>Periksa Caps Lock, lalu ketik kata sandi lagi.</source>
        <translation>Check Caps Lock, then type the password again.</translation>
    </message>
    <message>
        <source>Peran Anda tidak boleh melakukan ini.</source>
        <translation>Your role may not do this.</translation>
    </message>
    <message>
        <source>Perlu peran {roles}. Minta rekan atau manajer.</source>
        <translation>It needs the role {roles}. Ask a colleague or a manager.</translation>
    </message>
    <message>
        <source>Minta rekan dengan peran yang sesuai atau manajer.</source>
        <translation>Ask a colleague with the right role or a manager.</translation>
    </message>
    <message>
        <source>Perlu persetujuan manajer.</source>
        <translation>A manager's approval is needed.</translation>
    </message>
    <message>
        <source>Manajer bisa menyetujui di layar ini. Isian Anda tetap ada.</source>
        <translation>A manager can approve on this screen. What you typed is still here.</translation>
    </message>
    <message>
        <source>{field} {reason}.</source>
        <translation>{field} {reason}.</translation>
    </message>
    <message>
        <source>Perbaiki berkasnya, lalu impor lagi.</source>
        <translation>Correct the file, then import it again.</translation>
    </message>
    <message>
        <source>Perbaiki nama kasir di pengaturan, lalu coba lagi.</source>
        <translation>Correct the counter's name in the settings, then try again.</translation>
    </message>
    <message>
        <source>Simpan kata sandinya lagi dengan sentra-admin.</source>
        <translation>Store the password again with sentra-admin.</translation>
    </message>
    <message>
        <source>Periksa jumlah yang diterima.</source>
        <translation>Check the amount received.</translation>
    </message>
    <message>
        <source>Terima dengan QRIS atau tunai.</source>
        <translation>Take it by QRIS or in cash.</translation>
    </message>
    <message>
        <source>Perbaiki, lalu coba lagi.</source>
        <translation>Correct it, then try again.</translation>
    </message>
    <message>
        <source>Kurang {amount}.</source>
        <translation>{amount} short.</translation>
    </message>
    <message>
        <source>Isi jumlah yang diterima.</source>
        <translation>Enter the amount received.</translation>
    </message>
    <message>
        <source>Total berubah {shown} menjadi {due}.</source>
        <translation>The total changed from {shown} to {due}.</translation>
    </message>
    <message>
        <source>Belum ada yang dibayar. Muat ulang (F5), lalu periksa lagi.</source>
        <translation>Nothing was paid. Refresh (F5), then check again.</translation>
    </message>
    <message>
        <source>Jumlah uang tidak sama dengan tagihan.</source>
        <translation>The amount does not equal the invoice.</translation>
    </message>
    <message>
        <source>Belum ada yang dibayar. Periksa jumlahnya.</source>
        <translation>Nothing was paid. Check the amount.</translation>
    </message>
    <message>
        <source>Tunai perlu shift yang terbuka.</source>
        <translation>Cash needs an open shift.</translation>
    </message>
    <message>
        <source>Buka shift dengan modal awal, lalu bayar lagi. Isian Anda tetap ada.</source>
        <translation>Open a shift with its float, then pay again. What you typed is still here.</translation>
    </message>
    <message>
        <source>Anda sudah punya shift yang terbuka.</source>
        <translation>You already have an open shift.</translation>
    </message>
    <message>
        <source>Muat ulang (F5) untuk melihatnya.</source>
        <translation>Refresh (F5) to see it.</translation>
    </message>
    <message>
        <source>{field} sudah ada.</source>
        <translation>{field} already exists.</translation>
    </message>
    <message>
        <source>Pakai yang sudah ada atau isi yang lain.</source>
        <translation>Use the existing one or enter another.</translation>
    </message>
    <message>
        <source>{field} ini sudah milik {owner}.</source>
        <translation>{field} already belongs to {owner}.</translation>
    </message>
    <message>
        <source>Laci {drawer} dipakai {holder}{shift}.</source>
        <translation>Drawer {drawer} is used by {holder}{shift}.</translation>
    </message>
    <message>
        <source>, shift #{number} sejak {since}</source>
        <translation>, shift #{number} since {since}</translation>
    </message>
    <message>
        <source>, shift #{number}</source>
        <translation>, shift #{number}</translation>
    </message>
    <message>
        <source>Isi nama laci lain.</source>
        <translation>Enter another drawer name.</translation>
    </message>
    <message>
        <source>Harga berubah sejak ditampilkan.</source>
        <translation>The price changed since it was shown.</translation>
    </message>
    <message>
        <source>Harga berubah dari {old} menjadi {new}.</source>
        <translation>The price changed from {old} to {new}.</translation>
    </message>
    <message>
        <source>Belum ada yang dipesan. Tekan sekali lagi bila setuju.</source>
        <translation>Nothing was booked. Press once more to agree.</translation>
    </message>
    <message>
        <source>Syarat serah belum lengkap, kunci jangan diserahkan.</source>
        <translation>The hand-over is not complete, do not hand over the keys.</translation>
    </message>
    <message>
        <source>Lengkapi baris yang masih terbuka di Gerbang.</source>
        <translation>Complete the lines that are still open at the Gate.</translation>
    </message>
    <message>
        <source>Server tidak terjangkau.</source>
        <translation>The server cannot be reached.</translation>
    </message>
    <message>
        <source>Isian Anda tetap ada. Periksa jaringan, lalu coba lagi (F5).</source>
        <translation>What you typed is still here. Check the network, then try again (F5).</translation>
    </message>
    <message>
        <source>{field} tidak ditemukan.</source>
        <translation>{field} not found.</translation>
    </message>
    <message>
        <source>Muat ulang (F5) atau periksa yang diketik.</source>
        <translation>Refresh (F5) or check what was typed.</translation>
    </message>
    <message>
        <source>Nomor ini tidak bisa dibuka lagi.</source>
        <translation>This number can no longer be opened.</translation>
    </message>
    <message>
        <source>Lihat kartunya, lalu ketik nomornya sekali lagi dan simpan.</source>
        <translation>Look at the card, type its number once more and save.</translation>
    </message>
    <message>
        <source>Nomor identitas belum bisa dicari, dibuka, atau disimpan.</source>
        <translation>Identity numbers cannot be searched, opened or saved now.</translation>
    </message>
    <message>
        <source>Kunci nomor identitas di layanan Sentra hilang atau bukan yang lama: hubungi teknisi.</source>
        <translation>The Sentra service has lost its key for identity numbers or has another one: call the technician.</translation>
    </message>
    <message>
        <source>Alamat layanan Sentra di PC ini kosong atau tidak aman: hubungi teknisi.</source>
        <translation>The address of the Sentra service on this PC is empty or not secure: call the technician.</translation>
    </message>
    <message>
        <source>Layanan Sentra tidak menjawab, coba lagi nanti.</source>
        <translation>The Sentra service does not answer, try again later.</translation>
    </message>
    <message>
        <source>Isian lain bisa disimpan tanpa nomor.</source>
        <translation>Everything else can be saved without the number.</translation>
    </message>
</context>
<context>
    <name>RefusalCard</name>
    <message>
        <source>{0} · kosong</source>
        <translation>{0} · free</translation>
    </message>
    <message>
        <source>Terpakai</source>
        <translation>Taken</translation>
    </message>
    <message>
        <source>Unit lain</source>
        <translation>Other units</translation>
    </message>
    <message>
        <source>Isian</source>
        <translation>Your data</translation>
    </message>
    <message>
        <source>Booking</source>
        <translation>Booking</translation>
    </message>
    <message>
        <source>Tidak bisa diubah ke {0} {1}</source>
        <translation>Cannot change to {0} {1}</translation>
    </message>
    <message>
        <source>{0} tidak bisa dipesan {1}</source>
        <translation>{0} cannot be booked {1}</translation>
    </message>
    <message>
        <source>Tidak ada {0} kosong {1}</source>
        <translation>No {0} is free {1}</translation>
    </message>
    <message>
        <source> dan {0} lagi</source>
        <translation> and {0} more</translation>
    </message>
    <message>
        <source>Baru saja diambil oleh {0}, {1}</source>
        <translation>Just taken by {0}, {1}</translation>
    </message>
    <message>
        <source>{0} dalam perawatan</source>
        <translation>{0} in maintenance</translation>
    </message>
    <message>
        <source>{0} oleh {1}</source>
        <translation>{0} by {1}</translation>
    </message>
    <message>
        <source>semua {0} {1} terpakai pada {2}</source>
        <translation>all {0} {1} are taken on {2}</translation>
    </message>
    <message>
        <source>{0} kosong: {1} · {2} terpakai</source>
        <translation>{0} free: {1} · {2} taken</translation>
    </message>
    <message>
        <source>{0} {1} lain terpakai pada {2}, {3} kosong</source>
        <translation>{0} other {1} taken on {2}, {3} free</translation>
    </message>
    <message>
        <source>tetap ada di laci booking</source>
        <translation>kept in the booking drawer</translation>
    </message>
    <message>
        <source>tersimpan sebagai draf {0}</source>
        <translation>saved as a draft {0}</translation>
    </message>
    <message>
        <source>Masukkan antrean</source>
        <translation>Join the waiting list</translation>
    </message>
    <message>
        <source>Dihubungi bila ada unit; belum menjamin</source>
        <translation>We call when a unit is free; no promise</translation>
    </message>
    <message>
        <source>Pakai unit lain: {0}</source>
        <translation>Use another unit: {0}</translation>
    </message>
    <message>
        <source>{0} tetap, harga sama {1}</source>
        <translation>{0} stays, same price {1}</translation>
    </message>
    <message>
        <source>Geser ke {0}</source>
        <translation>Move to {0}</translation>
    </message>
    <message>
        <source>{0} kosong, harga sama</source>
        <translation>{0} is free, same price</translation>
    </message>
    <message>
        <source>Cabang lain: {0}</source>
        <translation>Another branch: {0}</translation>
    </message>
    <message>
        <source>{0} kosong di sana</source>
        <translation>{0} is free there</translation>
    </message>
    <message>
        <source>Perpanjang s.d. {0}</source>
        <translation>Extend to {0}</translation>
    </message>
    <message>
        <source>Paling lama yang masih kosong; hari tambahan ditagih</source>
        <translation>The longest that is still free; the extra days are charged</translation>
    </message>
    <message>
        <source>Paling lama yang masih kosong; sudah dibayar</source>
        <translation>The longest that is still free; paid already</translation>
    </message>
    <message>
        <source>Pindahkan {0} ke {1}</source>
        <translation>Move {0} to {1}</translation>
    </message>
    <message>
        <source>Tanggalnya tetap; lalu coba lagi</source>
        <translation>Same dates; then try again</translation>
    </message>
    <message>
        <source>Tanggal tetap, harga sama</source>
        <translation>Same dates, same price</translation>
    </message>
</context>
<context>
    <name>RejectDialog</name>
    <message>
        <source>Tolak perpanjangan</source>
        <translation>Refuse the extension</translation>
    </message>
    <message>
        <source>Tolak perpanjangan {0} ({1})?</source>
        <translation>Refuse the extension of {0} ({1})?</translation>
    </message>
    <message>
        <source>Belum dibayar. Hari tambahannya langsung kosong, sewanya jalan seperti semula.</source>
        <translation>Not paid. Its extra days are free at once, the rental goes on as before.</translation>
    </message>
</context>
<context>
    <name>ReportPage</name>
    <message>
        <source>Kembali</source>
        <translation>Back</translation>
    </message>
    <message>
        <source>Cetak</source>
        <translation>Print</translation>
    </message>
</context>
<context>
    <name>ResultCard</name>
    <message>
        <source>Selisih di atas {limit}: perlu persetujuan manajer.</source>
        <translation>Difference above {limit}: a manager has to agree.</translation>
    </message>
    <message>
        <source>Selisih kurang {amount}. Isi alasan.</source>
        <translation>Short by {amount}. Enter a reason.</translation>
    </message>
    <message>
        <source>Selisih lebih {amount}. Isi alasan.</source>
        <translation>Over by {amount}. Enter a reason.</translation>
    </message>
    <message>
        <source>Tidak ada selisih. Tutup dengan Ctrl+Enter.</source>
        <translation>No difference. Close with Ctrl+Enter.</translation>
    </message>
    <message>
        <source>Dihitung</source>
        <translation>Counted</translation>
    </message>
    <message>
        <source>Harapan</source>
        <translation>Expected</translation>
    </message>
    <message>
        <source>Selisih</source>
        <translation>Difference</translation>
    </message>
    <message>
        <source>Hasil hitungan</source>
        <translation>Result of the count</translation>
    </message>
    <message>
        <source>Alasan selisih</source>
        <translation>Reason for the difference</translation>
    </message>
    <message>
        <source>Slip EDC cocok: {count} slip, {amount}.</source>
        <translation>Card slips agree: {count} slips, {amount}.</translation>
    </message>
    <message>
        <source>Slip EDC {count} slip {amount}; tercatat {recorded} slip {sum}. Cari slip yang kurang atau lebih.</source>
        <translation>Card slips: {count}, {amount}; recorded: {recorded}, {sum}. Look for the slip that is missing or too many.</translation>
    </message>
</context>
<context>
    <name>RevealBar</name>
    <message>
        <source>Alasan melihat {paper}</source>
        <translation>Reason to see {paper}</translation>
    </message>
    <message>
        <source>Dicatat bersama nama Anda, contoh: cocokkan dengan KTP</source>
        <translation>Recorded with your name, e.g.: compare with the card</translation>
    </message>
    <message>
        <source>Tampilkan</source>
        <translation>Show</translation>
    </message>
    <message>
        <source>Tutup</source>
        <translation>Close</translation>
    </message>
</context>
<context>
    <name>Role</name>
    <message>
        <source>Agen</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Inspektur</source>
        <translation>Inspector</translation>
    </message>
    <message>
        <source>Kasir</source>
        <translation>Cashier</translation>
    </message>
    <message>
        <source>Manajer</source>
        <translation>Manager</translation>
    </message>
    <message>
        <source>Layanan</source>
        <translation>Service</translation>
    </message>
</context>
<context>
    <name>ScanDesk</name>
    <message>
        <source>Kode belum bisa diperiksa: koneksi terputus.</source>
        <translation>The code cannot be checked yet: no connection.</translation>
    </message>
    <message>
        <source>Booking ini sedang diproses. Pindai lagi setelah selesai.</source>
        <translation>This booking is being processed. Scan again when it is done.</translation>
    </message>
    <message>
        <source>Isi tanggal sewa dulu, lalu pindai unitnya lagi.</source>
        <translation>Enter the rental dates first, then scan the unit again.</translation>
    </message>
    <message>
        <source>Unit itu sudah ada di booking ini. Pindai unit lain.</source>
        <translation>That unit is in this booking already. Scan another one.</translation>
    </message>
    <message>
        <source>{0} tidak dipilih: formulirnya sudah berganti. Pindai lagi.</source>
        <translation>{0} is not chosen: another form is open by now. Scan again.</translation>
    </message>
    <message>
        <source>{0} kosong dan dipilih.</source>
        <translation>{0} is free and chosen.</translation>
    </message>
    <message>
        <source>Unit {0} milik cabang lain.</source>
        <translation>Unit {0} belongs to another branch.</translation>
    </message>
    <message>
        <source>Tutup</source>
        <translation>Close</translation>
    </message>
    <message>
        <source>Pakai unit lain yang kosong</source>
        <translation>Take another free unit</translation>
    </message>
    <message>
        <source>Kode {0} tidak dikenal.</source>
        <translation>Code {0} is not known.</translation>
    </message>
    <message>
        <source>Kode belum bisa diperiksa. Kode {0}.</source>
        <translation>The code could not be checked. Code {0}.</translation>
    </message>
</context>
<context>
    <name>Search</name>
    <message>
        <source>Booking</source>
        <translation>Booking</translation>
    </message>
    <message>
        <source>Pelanggan</source>
        <translation>Customer</translation>
    </message>
    <message>
        <source>{0}, seharusnya kembali {1}</source>
        <translation>{0}, was due back {1}</translation>
    </message>
    <message>
        <source>sudah kembali dari {0}</source>
        <translation>returned by {0}</translation>
    </message>
    <message>
        <source>hari ini {0} s.d. {1}</source>
        <translation>today {0} until {1}</translation>
    </message>
    <message>
        <source>dalam perawatan</source>
        <translation>in maintenance</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>lunas</source>
        <translation>paid</translation>
    </message>
    <message>
        <source>belum lunas</source>
        <translation>unpaid</translation>
    </message>
    <message>
        <source>Tagihan</source>
        <translation>Invoice</translation>
    </message>
    <message>
        <source>Tidak ditemukan: {0}</source>
        <translation>Not found: {0}</translation>
    </message>
    <message>
        <source>Mencari…</source>
        <translation>Searching…</translation>
    </message>
    <message>
        <source>{0} yang pertama; ketik lebih lengkap</source>
        <translation>the first {0}; type more of it</translation>
    </message>
    <message>
        <source>{0} hasil</source>
        <translation>{0} found</translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message>
        <source>Hasil pencarian</source>
        <translation>Search results</translation>
    </message>
    <message>
        <source>buka</source>
        <translation>open</translation>
    </message>
    <message>
        <source>tutup</source>
        <translation>close</translation>
    </message>
</context>
<context>
    <name>SettlementCards</name>
    <message>
        <source>Rincian</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Pembayaran</source>
        <translation>Payments</translation>
    </message>
    <message>
        <source>Bagi pembayaran</source>
        <translation>Split the payment</translation>
    </message>
    <message>
        <source>Booking</source>
        <translation>Booking</translation>
    </message>
    <message>
        <source>tahan {left}</source>
        <translation>held {left}</translation>
    </message>
    <message>
        <source>batas lewat, kunci menahan</source>
        <translation>past its time, kept by the lock</translation>
    </message>
    <message>
        <source>Jumlah</source>
        <translation>Total</translation>
    </message>
    <message>
        <source>termasuk PPN 12 % × 11/12</source>
        <translation>including PPN (VAT) 12 % × 11/12</translation>
    </message>
    <message>
        <source>(dikembalikan saat selesai)</source>
        <translation>(returned at the end)</translation>
    </message>
    <message>
        <source>Belum ada pembayaran masuk.</source>
        <translation>No payment yet.</translation>
    </message>
    <message>
        <source>{way} {time}, {cashier}</source>
        <translation>{way} {time}, {cashier}</translation>
    </message>
    <message>
        <source>Batalkan bagian {way}</source>
        <translation>Take back the part {way}</translation>
    </message>
    <message>
        <source>{way}, belum tercatat</source>
        <translation>{way}, not recorded yet</translation>
    </message>
    <message>
        <source>Pelanggan</source>
        <translation>Customer</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>Sewa</source>
        <translation>Rental</translation>
    </message>
    <message numerus="yes">
        <source>dan %n booking lain di pesanan ini</source>
        <translation>
            <numerusform>and %n more booking in this order</numerusform>
            <numerusform>and %n more bookings in this order</numerusform>
        </translation>
    </message>
    <message>
        <source>diberikan saat lunas</source>
        <translation>given when paid</translation>
    </message>
    <message>
        <source>No. tagihan</source>
        <translation>Invoice no.</translation>
    </message>
    <message>
        <source>Batas bayar</source>
        <translation>Pay until</translation>
    </message>
</context>
<context>
    <name>SettlementPage</name>
    <message>
        <source>Tagihan</source>
        <translation>Invoices</translation>
    </message>
    <message>
        <source>Lihat saja</source>
        <translation>View only</translation>
    </message>
    <message>
        <source>Kunci lagi</source>
        <translation>Lock again</translation>
    </message>
    <message>
        <source>Kunci lagi &amp; catat</source>
        <translation>Lock again &amp; record</translation>
    </message>
    <message>
        <source>Periksa sekarang</source>
        <translation>Check now</translation>
    </message>
    <message>
        <source>Lunas. Kembalian {change}.</source>
        <translation>Paid. Change {change}.</translation>
    </message>
    <message>
        <source>Lunas.</source>
        <translation>Paid.</translation>
    </message>
</context>
<context>
    <name>SettlementTexts</name>
    <message>
        <source>Mengunci tagihan…</source>
        <translation>Locking…</translation>
    </message>
    <message>
        <source>Terkunci untuk Anda</source>
        <translation>Locked for you</translation>
    </message>
    <message>
        <source>Memperpanjang kunci</source>
        <translation>Renewing the lock</translation>
    </message>
    <message>
        <source>Kunci hampir habis</source>
        <translation>Lock ending</translation>
    </message>
    <message>
        <source>Menyimpan pembayaran… jangan tutup</source>
        <translation>Saving the payment… do not close</translation>
    </message>
    <message>
        <source>Status belum pasti</source>
        <translation>Outcome unknown</translation>
    </message>
    <message>
        <source>Lunas, kunci dilepas</source>
        <translation>Paid, lock released</translation>
    </message>
    <message>
        <source>sejak {time}</source>
        <translation>since {time}</translation>
    </message>
    <message>
        <source>Kunci hilang</source>
        <translation>Lock lost</translation>
    </message>
    <message>
        <source>diperpanjang otomatis tiap 30 dtk</source>
        <translation>renewed by itself every 30 s</translation>
    </message>
    <message>
        <source>Kunci hilang. {cards} belum tercatat.</source>
        <translation>Lock lost. {cards} is not recorded yet.</translation>
    </message>
    <message>
        <source>Kunci hilang. Pembayaran belum disimpan.</source>
        <translation>Lock lost. Nothing was saved.</translation>
    </message>
    <message>
        <source>Yang Anda isi tetap ada.</source>
        <translation>What you typed is still there.</translation>
    </message>
    <message>
        <source>Yang Anda isi tetap ada. Jangan menagih ulang sebelum terkunci.</source>
        <translation>What you typed is still here. Do not charge again until it is locked.</translation>
    </message>
    <message>
        <source>Jangan gesek ulang: kunci lagi, lalu F9 mencatatnya. Tersimpan juga di PC ini.</source>
        <translation>Do not charge it again: lock again, then F9 records it. It is kept on this PC, too.</translation>
    </message>
    <message>
        <source>Kunci dilepas setelah 15 menit tanpa ketikan.</source>
        <translation>The lock was released after 15 minutes without typing.</translation>
    </message>
    <message>
        <source>Perpanjangan terakhir {beat}, habis {end}.</source>
        <translation>Last renewed {beat}, ended {end}.</translation>
    </message>
    <message>
        <source>Perpanjangan terakhir {beat}.</source>
        <translation>Last renewed {beat}.</translation>
    </message>
    <message>
        <source>Status pembayaran belum pasti.</source>
        <translation>The payment's outcome is unknown.</translation>
    </message>
    <message>
        <source>Kami memeriksa setiap 3 dtk dengan nomor yang sama. Jangan tagih ulang.</source>
        <translation>We check every 3 s with the same number. Do not charge again.</translation>
    </message>
    <message>
        <source>Lunas.</source>
        <translation>Paid.</translation>
    </message>
    <message>
        <source>Lunas {at}, diterima {cashier}.</source>
        <translation>Paid {at}, received by {cashier}.</translation>
    </message>
    <message>
        <source>Ctrl+P mencetak ulang kwitansinya.</source>
        <translation>Ctrl+P prints its receipt again.</translation>
    </message>
    <message>
        <source>Hanya dilihat: membayar hanya untuk kasir.</source>
        <translation>Looking only: paying is for cashiers.</translation>
    </message>
    <message>
        <source>Minta kasir membuka tagihan ini.</source>
        <translation>Ask a cashier to open this invoice.</translation>
    </message>
    <message>
        <source>Hanya dilihat: tagihan ini tidak dikunci dan tidak bisa dibayar dari sini.</source>
        <translation>View only: this invoice is not locked and cannot be paid from here.</translation>
    </message>
    <message>
        <source>Tunai dibulatkan {rounding}: terima {left}, atau tekan + untuk uang pas.</source>
        <translation>Cash is rounded by {rounding}: take {left}, or press + for the exact amount.</translation>
    </message>
    <message>
        <source>Lebih {amount} dari sisa tagihan.</source>
        <translation>{amount} more than is left to pay.</translation>
    </message>
    <message>
        <source>Samakan jumlahnya.</source>
        <translation>Make the amounts equal.</translation>
    </message>
    <message>
        <source>Ctrl+B menjadikannya satu bagian; sisanya dibayar cara lain.</source>
        <translation>Ctrl+B makes it one part; the rest is paid another way.</translation>
    </message>
    <message>
        <source>Lengkap. Kwitansi dibuat setelah pembayaran tersimpan.</source>
        <translation>Complete. The receipt is made once the payment is stored.</translation>
    </message>
    <message>
        <source>Jumlah harus sama dengan sisa tagihan.</source>
        <translation>The amount must be what is left to pay.</translation>
    </message>
    <message>
        <source>Gesek kartu sebesar {amount}, lalu isi 4 angka terakhir kartunya.</source>
        <translation>Charge {amount} to the card, then fill in its last 4 digits.</translation>
    </message>
    <message>
        <source>Isi kode persetujuan 6 angka dari struk EDC.</source>
        <translation>Fill in the 6-digit approval code from the EDC slip.</translation>
    </message>
    <message>
        <source>Isi nomor referensi dari bukti QRIS pelanggan.</source>
        <translation>Fill in the reference number from the customer's QRIS receipt.</translation>
    </message>
    <message>
        <source>Isi nomor referensi transfer.</source>
        <translation>Fill in the transfer's reference number.</translation>
    </message>
    <message>
        <source>Transfer belum terlihat di rekening. Tandai setelah terlihat, atau tahan lebih lama.</source>
        <translation>The transfer is not in the account yet. Tick it once you see it there, or hold the unit longer.</translation>
    </message>
    <message>
        <source>EDC {amount} (kode {code})</source>
        <translation>EDC {amount} (code {code})</translation>
    </message>
    <message>
        <source>EDC {amount} (kode {code}) belum tercatat dan tagihannya sudah lunas. Serahkan ke manajer.</source>
        <translation>EDC {amount} (code {code}) is not recorded and its invoice is paid already. Hand it to a manager.</translation>
    </message>
    <message>
        <source>Kembalian {change}.</source>
        <translation>Change {change}.</translation>
    </message>
    <message>
        <source>Tunai {received}.</source>
        <translation>Cash {received}.</translation>
    </message>
    <message>
        <source>Tekan F9 sekali lagi untuk membayar.</source>
        <translation>Press F9 once more to pay.</translation>
    </message>
    <message>
        <source>Belum ada yang dibayar: tekan F9 untuk membayar.</source>
        <translation>Nothing is paid yet: press F9 to pay.</translation>
    </message>
    <message>
        <source>Shift dibuka.</source>
        <translation>Shift opened.</translation>
    </message>
    <message>
        <source>Kode atau tautan tagihan ini masih bisa dibayar.</source>
        <translation>A code or link of this invoice can still be paid.</translation>
    </message>
    <message>
        <source>Gateway belum menjawab. Tekan Bayar lagi bila pelanggan pasti tidak membayarnya.</source>
        <translation>The gateway has not answered. Press Pay again if the customer surely did not pay it.</translation>
    </message>
    <message>
        <source>Isi dulu jumlah bagian ini, lalu Ctrl+B.</source>
        <translation>Fill in the amount of this part first, then Ctrl+B.</translation>
    </message>
    <message>
        <source>Ini sudah menutup sisanya: F9 membayar.</source>
        <translation>This covers what is left: F9 pays.</translation>
    </message>
    <message>
        <source>Bagian ini perlu persetujuan manajer dulu: isi login dan kata sandinya, Enter.</source>
        <translation>This part needs a manager's approval first: fill in their login and password, then Enter.</translation>
    </message>
    <message>
        <source>Bagian tunai harus kelipatan {step}.</source>
        <translation>A part in cash must be a multiple of {step}.</translation>
    </message>
    <message>
        <source>Mengunci tagihan, sebentar.</source>
        <translation>Locking the invoice, one moment.</translation>
    </message>
    <message>
        <source>Menyimpan pembayaran…</source>
        <translation>Saving the payment…</translation>
    </message>
    <message>
        <source>Jangan tutup layar ini.</source>
        <translation>Do not close this screen.</translation>
    </message>
    <message>
        <source>Tagihan ini sudah lunas lewat jalan lain.</source>
        <translation>This invoice was paid in another way.</translation>
    </message>
    <message>
        <source>Pembayaran Anda tidak disimpan. Kembalikan uangnya, lalu lihat tagihannya.</source>
        <translation>Your payment was not saved. Give the money back, then look at the invoice.</translation>
    </message>
    <message>
        <source>Belum tersimpan.</source>
        <translation>Not saved.</translation>
    </message>
    <message>
        <source>Laci tetap tertutup. Isian Anda tetap ada di layar ini.</source>
        <translation>The drawer stays closed. What you typed is still on this screen.</translation>
    </message>
    <message>
        <source>Lunas, nomor {number}.</source>
        <translation>Paid, number {number}.</translation>
    </message>
    <message>
        <source>Tekan tombol apa saja untuk kembali ke daftar.</source>
        <translation>Press any key to go back to the list.</translation>
    </message>
    <message>
        <source>Tekan tombol apa saja untuk tetap memegangnya.</source>
        <translation>Press any key to keep it.</translation>
    </message>
    <message>
        <source>Tidak ada ketikan: kunci dilepas dalam {left}.</source>
        <translation>Nothing typed: the lock is released in {left}.</translation>
    </message>
    <message>
        <source>Bayar dibuka lagi setelah kunci diperpanjang.</source>
        <translation>Paying opens again once the lock is renewed.</translation>
    </message>
    <message>
        <source>Kunci hampir habis.</source>
        <translation>The lock is ending.</translation>
    </message>
    <message>
        <source>Ketik jumlah yang diterima, atau tekan + untuk uang pas.</source>
        <translation>Type what was received, or press + for the exact amount.</translation>
    </message>
    <message>
        <source>Kurang {amount}.</source>
        <translation>{amount} short.</translation>
    </message>
    <message>
        <source>Uang cukup. Kwitansi dibuat setelah pembayaran tersimpan.</source>
        <translation>Enough. The receipt is made once the payment is saved.</translation>
    </message>
    <message>
        <source>Menunggu pembayaran pelanggan. Cara lain: Alt+1, 2, 4.</source>
        <translation>Waiting for the customer to pay. Other ways: Alt+1, 2, 4.</translation>
    </message>
    <message>
        <source>Minta manajer mengisi login dan kata sandinya, lalu Enter.</source>
        <translation>Ask a manager to fill in their login and password, then Enter.</translation>
    </message>
    <message>
        <source>{cards} sudah disetujui tetapi belum tercatat.</source>
        <translation>{cards} was approved but is not recorded yet.</translation>
    </message>
    <message>
        <source>Jangan gesek ulang: F9 mencatatnya.</source>
        <translation>Do not charge it again: F9 records it.</translation>
    </message>
    <message>
        <source>Isian kartu tidak bisa disimpan di PC ini.</source>
        <translation>What is typed of the card cannot be kept on this PC.</translation>
    </message>
    <message>
        <source>Jangan gesek kartu dulu: kosongkan ruang disk, lalu pilih EDC lagi.</source>
        <translation>Do not charge the card yet: make room on the disk, then choose EDC again.</translation>
    </message>
    <message>
        <source>Sudah diperiksa: pembayaran belum tersimpan.</source>
        <translation>Checked: the payment was not saved.</translation>
    </message>
    <message>
        <source>Tekan Bayar lagi. Nomor percobaannya sama, jadi tidak mungkin tercatat dua kali.</source>
        <translation>Press Pay again. It carries the same number, so it cannot be recorded twice.</translation>
    </message>
    <message>
        <source>Jam PC ini meloncat.</source>
        <translation>This PC's clock jumped.</translation>
    </message>
    <message>
        <source>Total berubah {before} menjadi {after}.</source>
        <translation>The total changed from {before} to {after}.</translation>
    </message>
    <message>
        <source>Periksa lagi jumlah yang diterima.</source>
        <translation>Check what was received again.</translation>
    </message>
</context>
<context>
    <name>ShiftDeskScreen</name>
    <message>
        <source>Shift</source>
        <translation>Shift</translation>
    </message>
    <message>
        <source>Koneksi terputus: hitungan tersimpan di PC ini. Kunci dan tutup setelah terhubung.</source>
        <translation>No connection: the count is kept on this PC. Lock and close it when connected.</translation>
    </message>
    <message>
        <source>Hitungan sementara disimpan di PC ini</source>
        <translation>The count is kept on this PC</translation>
    </message>
    <message>
        <source>Kas masuk {amount}</source>
        <translation>Cash in {amount}</translation>
    </message>
    <message>
        <source>Kas keluar {amount}</source>
        <translation>Cash out {amount}</translation>
    </message>
    <message>
        <source>Shift #{number} ditutup</source>
        <translation>Shift #{number} closed</translation>
    </message>
    <message>
        <source>Shift #{number} dibuka lagi</source>
        <translation>Shift #{number} reopened</translation>
    </message>
    <message>
        <source>{file} tersimpan di {folder}</source>
        <translation>{file} saved in {folder}</translation>
    </message>
    <message>
        <source>{file} tersimpan, tetapi belum tercetak: printer tidak menjawab.</source>
        <translation>{file} is saved but not printed: the printer does not answer.</translation>
    </message>
    <message>
        <source>Semua sudah tersimpan, hanya kertasnya gagal ditulis: {problem}. Cetak lagi.</source>
        <translation>Everything is saved; only the paper was not written: {problem}. Print again.</translation>
    </message>
    <message>
        <source>{file} tersimpan dan dicetak</source>
        <translation>{file} saved and printed</translation>
    </message>
    <message>
        <source>Kas masuk / keluar</source>
        <translation>Cash in / out</translation>
    </message>
    <message>
        <source>Cetak laporan</source>
        <translation>Print the report</translation>
    </message>
</context>
<context>
    <name>ShiftReport</name>
    <message>
        <source>Dicetak {name} · {counter}</source>
        <translation>Printed by {name} · {counter}</translation>
    </message>
    <message>
        <source>Kasir</source>
        <translation>Cashier</translation>
    </message>
    <message>
        <source>Manajer</source>
        <translation>Manager</translation>
    </message>
    <message>
        <source>Laporan Z shift #{number}</source>
        <translation>Z report of shift #{number}</translation>
    </message>
    <message>
        <source>Laporan X shift #{number}</source>
        <translation>X report of shift #{number}</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Shift</translation>
    </message>
    <message>
        <source>Pembayaran diterima</source>
        <translation>Payments received</translation>
    </message>
    <message>
        <source>Pengembalian dibayarkan</source>
        <translation>Refunds paid out</translation>
    </message>
    <message>
        <source>Saldo pelanggan</source>
        <translation>Customer credit</translation>
    </message>
    <message>
        <source>Kas masuk dan keluar</source>
        <translation>Cash in and out</translation>
    </message>
    <message>
        <source>Laci</source>
        <translation>Drawer</translation>
    </message>
    <message>
        <source>Ditinggalkan saat tutup</source>
        <translation>Left open at the close</translation>
    </message>
    <message>
        <source>Tanggal buku</source>
        <translation>Book date</translation>
    </message>
    <message>
        <source>Dibuka</source>
        <translation>Opened</translation>
    </message>
    <message>
        <source>Ditutup</source>
        <translation>Closed</translation>
    </message>
    <message>
        <source>Nomor pertama</source>
        <translation>First number</translation>
    </message>
    <message>
        <source>Nomor terakhir</source>
        <translation>Last number</translation>
    </message>
    <message>
        <source>{count} tagihan dilunasi</source>
        <translation>Invoices settled: {count}</translation>
    </message>
    <message>
        <source>Kembalian diberikan</source>
        <translation>Change given</translation>
    </message>
    <message>
        <source>Kelebihan menjadi saldo</source>
        <translation>Excess kept as credit</translation>
    </message>
    <message>
        <source>tampil setelah dihitung</source>
        <translation>shown after the count</translation>
    </message>
    <message>
        <source>Modal awal</source>
        <translation>Opening float</translation>
    </message>
    <message>
        <source>Harapan di laci</source>
        <translation>Expected in the drawer</translation>
    </message>
    <message>
        <source>Dihitung</source>
        <translation>Counted</translation>
    </message>
    <message>
        <source>Selisih</source>
        <translation>Difference</translation>
    </message>
    <message>
        <source>Alasan</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Hitungan ke-{n}</source>
        <translation>Count {n}</translation>
    </message>
    <message>
        <source>Hitungan ke-{n}, pembukaan ke-{round}</source>
        <translation>Count {n}, opened {round} times</translation>
    </message>
    <message>
        <source>Slip EDC · {count}×</source>
        <translation>Card slips · {count}×</translation>
    </message>
    <message>
        <source>Kunci tagihan terbuka</source>
        <translation>Open invoice locks</translation>
    </message>
    <message>
        <source>Draf belum selesai</source>
        <translation>Unfinished drafts</translation>
    </message>
</context>
<context>
    <name>ShiftScreen</name>
    <message>
        <source>Shift</source>
        <translation>Shift</translation>
    </message>
    <message>
        <source>Hanya kasir yang bisa membuka shift: perlu peran Kasir. Minta kasir atau manajer.</source>
        <translation>Only cashiers open a shift: it needs the Cashier role. Ask a cashier or a manager.</translation>
    </message>
    <message>
        <source>Belum bisa membuka shift: koneksi terputus. Isian Anda tetap ada.</source>
        <translation>Cannot open a shift: no connection. What you typed is still here.</translation>
    </message>
    <message>
        <source>Shift #{number} dibuka</source>
        <translation>Shift #{number} opened</translation>
    </message>
    <message>
        <source>Membuka shift…</source>
        <translation>Opening…</translation>
    </message>
    <message>
        <source>Buka shift</source>
        <translation>Open shift</translation>
    </message>
    <message>
        <source>Tunai perlu shift terbuka.</source>
        <translation>Cash needs an open shift.</translation>
    </message>
    <message>
        <source>Shift #{number}</source>
        <translation>Shift #{number}</translation>
    </message>
    <message>
        <source>Terbuka; pembayaran tunai tercatat di shift ini.</source>
        <translation>Open; cash payments are recorded in this shift.</translation>
    </message>
    <message>
        <source>Modal awal</source>
        <translation>Opening float</translation>
    </message>
    <message>
        <source>Shift berjalan</source>
        <translation>Current shift</translation>
    </message>
    <message>
        <source>Laci</source>
        <translation>Drawer</translation>
    </message>
    <message>
        <source>Nama laci</source>
        <translation>Drawer name</translation>
    </message>
    <message>
        <source>Uang di laci sekarang</source>
        <translation>Cash in the drawer now</translation>
    </message>
    <message>
        <source>Dibuka</source>
        <translation>Opened</translation>
    </message>
</context>
<context>
    <name>SlipsCard</name>
    <message>
        <source>Non-tunai</source>
        <translation>Not cash</translation>
    </message>
    <message>
        <source>Slip EDC</source>
        <translation>Card slips</translation>
    </message>
    <message>
        <source>Jumlah slip EDC</source>
        <translation>Number of card slips</translation>
    </message>
    <message>
        <source>Total slip EDC</source>
        <translation>Total of the card slips</translation>
    </message>
    <message>
        <source>QRIS</source>
        <translation>QRIS</translation>
    </message>
    <message>
        <source>otomatis dari gateway</source>
        <translation>from the gateway by itself</translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>Menunggu bayar</source>
        <translation>Awaiting payment</translation>
    </message>
    <message>
        <source>Dibayar</source>
        <translation>Paid</translation>
    </message>
    <message>
        <source>Siap/diantar</source>
        <translation>Dispatched</translation>
    </message>
    <message>
        <source>Disewa</source>
        <translation>On rent</translation>
    </message>
    <message>
        <source>Perpanjangan</source>
        <translation>Extension</translation>
    </message>
    <message>
        <source>Terlambat</source>
        <translation>Overdue</translation>
    </message>
    <message>
        <source>Pemeriksaan</source>
        <translation>In inspection</translation>
    </message>
    <message>
        <source>Ada denda</source>
        <translation>Charges due</translation>
    </message>
    <message>
        <source>Selesai</source>
        <translation>Completed</translation>
    </message>
    <message>
        <source>Dibatalkan</source>
        <translation>Cancelled</translation>
    </message>
    <message>
        <source>Kedaluwarsa</source>
        <translation>Expired</translation>
    </message>
    <message>
        <source>Perawatan</source>
        <translation>Maintenance</translation>
    </message>
    <message>
        <source>Tahan antrean</source>
        <translation>Waitlist hold</translation>
    </message>
</context>
<context>
    <name>TaxMonthPage</name>
    <message>
        <source>Bulan dan e-Faktur</source>
        <translation>Months and e-Faktur</translation>
    </message>
    <message>
        <source>Ekspor e-Faktur bulan</source>
        <translation>Export a month's e-Faktur</translation>
    </message>
    <message>
        <source>XML untuk Coretax (kode 04, tanpa desimal) dan CSV dengan baris yang sama.</source>
        <translation>XML for Coretax (code 04, no decimals) and CSV with the same rows.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Folder</translation>
    </message>
    <message>
        <source>Folder ekspor</source>
        <translation>Export folder</translation>
    </message>
    <message>
        <source>Pilih…</source>
        <translation>Choose…</translation>
    </message>
    <message>
        <source>Ekspor XML dan CSV</source>
        <translation>Export XML and CSV</translation>
    </message>
    <message>
        <source>NPWP penjual (16 angka)</source>
        <translation>Seller's NPWP (16 digits)</translation>
    </message>
    <message>
        <source>IDTKU (22 angka)</source>
        <translation>IDTKU (22 digits)</translation>
    </message>
    <message>
        <source>Nama penjual</source>
        <translation>Seller's name</translation>
    </message>
    <message>
        <source>Simpan identitas pajak dan ekspor</source>
        <translation>Save the tax identity and export</translation>
    </message>
    <message>
        <source>Bulan ini sudah ditutup.</source>
        <translation>This month is closed already.</translation>
    </message>
    <message>
        <source>Ya, tutup {month} untuk selamanya</source>
        <translation>Yes, close {month} for good</translation>
    </message>
    <message>
        <source>Tutup bulan</source>
        <translation>Close the month</translation>
    </message>
    <message>
        <source>Bulan</source>
        <translation>Month</translation>
    </message>
    <message>
        <source>Belum ada tagihan bernomor.</source>
        <translation>No invoice has a number yet.</translation>
    </message>
    <message>
        <source>{count} nomor tagihan.</source>
        <translation>{count} invoice numbers.</translation>
    </message>
    <message>
        <source>Bulan masih terbuka.</source>
        <translation>The month is still open.</translation>
    </message>
    <message>
        <source>Ditutup {day} oleh {name}.</source>
        <translation>Closed {day} by {name}.</translation>
    </message>
    <message>
        <source>Perlu peran Manajer.</source>
        <translation>Needs the Manager role.</translation>
    </message>
    <message>
        <source>Koneksi terputus.</source>
        <translation>No connection.</translation>
    </message>
    <message>
        <source>Setelah ditutup, tagihan baru diberi tanggal bulan berikutnya. Tekan lagi untuk menutup.</source>
        <translation>Once closed, new invoices are dated in the next month. Press again to close.</translation>
    </message>
    <message>
        <source>{count} tagihan ditulis ke {file}: DPP {dpp}, PPN {ppn}.</source>
        <translation>{count} invoices written to {file}: DPP {dpp}, PPN {ppn}.</translation>
    </message>
    <message>
        <source>{count} pembeli tanpa NPWP atau alamat, isi dengan tangan: {numbers}.</source>
        <translation>{count} buyers without NPWP or address, to be filled in by hand: {numbers}.</translation>
    </message>
    <message>
        <source>{count} batal, tidak ikut: {numbers}.</source>
        <translation>{count} void, left out: {numbers}.</translation>
    </message>
    <message>
        <source>{count} perlu nota retur: {numbers}.</source>
        <translation>{count} need a return note: {numbers}.</translation>
    </message>
    <message>
        <source>{month} ditutup.</source>
        <translation>{month} is closed.</translation>
    </message>
    <message>
        <source>Isi identitas pajak cabang sekali ini.</source>
        <translation>Enter the branch's tax identity once.</translation>
    </message>
    <message>
        <source>Berkas tidak bisa ditulis: {problem}. Pilih folder lain.</source>
        <translation>The files cannot be written: {problem}. Choose another folder.</translation>
    </message>
</context>
<context>
    <name>Tender</name>
    <message>
        <source>Tunai</source>
        <translation>Cash</translation>
    </message>
    <message>
        <source>Kartu (EDC)</source>
        <translation>Card (EDC)</translation>
    </message>
    <message>
        <source>QRIS</source>
        <translation>QRIS</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Transfer</translation>
    </message>
    <message>
        <source>Gateway</source>
        <translation>Gateway</translation>
    </message>
    <message>
        <source>Saldo pelanggan</source>
        <translation>Customer credit</translation>
    </message>
    <message>
        <source>PPh 23 dipotong</source>
        <translation>PPh 23 withheld</translation>
    </message>
    <message>
        <source>Piutang perusahaan</source>
        <translation>On the company's account</translation>
    </message>
    <message>
        <source>Deposit</source>
        <translation>Deposit</translation>
    </message>
    <message>
        <source>kode {code}</source>
        <translation>code {code}</translation>
    </message>
</context>
<context>
    <name>Terms</name>
    <message>
        <source>Uang muka hanya untuk tanggal ambil sesudah hari ini.</source>
        <translation>A down payment is for a pick-up after today only.</translation>
    </message>
    <message>
        <source>Tambahan dan kesepakatan</source>
        <translation>Extras and terms</translation>
    </message>
    <message>
        <source>Diskon</source>
        <translation>Discount</translation>
    </message>
    <message>
        <source>Deposit</source>
        <translation>Deposit</translation>
    </message>
    <message>
        <source>Uang muka</source>
        <translation>Down payment</translation>
    </message>
    <message>
        <source>{0} per hari</source>
        <translation>{0} a day</translation>
    </message>
</context>
<context>
    <name>TillKeys</name>
    <message>
        <source>Laporan X</source>
        <translation>X report</translation>
    </message>
    <message>
        <source>Tagihan perusahaan</source>
        <translation>Company bills</translation>
    </message>
    <message>
        <source>Ekspor e-Faktur bulan</source>
        <translation>Export a month's e-Faktur</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Cari / pindai</source>
        <translation>Search / scan</translation>
    </message>
    <message>
        <source>Cari / pindai booking, pelanggan, pelat</source>
        <translation>Search / scan booking, customer, plate</translation>
    </message>
    <message>
        <source>Perintah</source>
        <translation>Commands</translation>
    </message>
</context>
<context>
    <name>TotalCard</name>
    <message>
        <source>Total dihitung</source>
        <translation>Counted so far</translation>
    </message>
</context>
<context>
    <name>TransferForm</name>
    <message>
        <source>Uang sudah terlihat di rekening (Spasi)</source>
        <translation>The money is in the account (Space)</translation>
    </message>
    <message>
        <source>Nomor referensi</source>
        <translation>Reference number</translation>
    </message>
    <message>
        <source>Nama pengirim</source>
        <translation>Sender's name</translation>
    </message>
    <message>
        <source>Bank pengirim</source>
        <translation>Sender's bank</translation>
    </message>
    <message>
        <source>Jumlah</source>
        <translation>Amount</translation>
    </message>
</context>
<context>
    <name>Unanswered</name>
    <message>
        <source>Jawaban untuk {0} belum sampai. Dicek sendiri begitu tersambung; jangan diulang dulu.</source>
        <translation>No answer yet for {0}. It is checked by itself once connected; do not repeat it yet.</translation>
    </message>
    <message>
        <source>Tidak jadi: {0}. Permintaan tadi tidak sampai ke server. Ulangi bila masih perlu.</source>
        <translation>Not done: {0}. The request never reached the server. Repeat it if it is still needed.</translation>
    </message>
    <message>
        <source>antrean</source>
        <translation>waitlist</translation>
    </message>
    <message>
        <source>perawatan {0}</source>
        <translation>maintenance {0}</translation>
    </message>
</context>
<context>
    <name>UnitHeader</name>
    <message>
        <source>Unit</source>
        <translation>Unit</translation>
    </message>
    <message>
        <source>sisa</source>
        <translation>left</translation>
    </message>
</context>
<context>
    <name>WaitlistCard</name>
    <message>
        <source>Antrean {0}</source>
        <translation>Waitlist {0}</translation>
    </message>
    <message>
        <source>Telepon</source>
        <translation>Phone</translation>
    </message>
    <message>
        <source>Nama</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Telepon atau nama</source>
        <translation>Phone or name</translation>
    </message>
    <message>
        <source>contoh 0812-3456-7890</source>
        <translation>e.g. 0812-3456-7890</translation>
    </message>
    <message>
        <source>Nama pelanggan</source>
        <translation>Customer's name</translation>
    </message>
    <message>
        <source>{0} unit masih kosong, mis. {1}: booking saja.</source>
        <translation>{0} units are still free, {1} for one: just book.</translation>
    </message>
    <message>
        <source>Kami hubungi bila ada unit; belum menjamin.</source>
        <translation>We call when a unit comes free; no promise yet.</translation>
    </message>
    <message>
        <source>Masukkan antrean</source>
        <translation>Put on the waitlist</translation>
    </message>
    <message>
        <source>Nomor telepon 9-13 angka, contoh 0812-3456-7890.</source>
        <translation>Phone needs 9-13 digits, e.g. 0812-3456-7890.</translation>
    </message>
    <message>
        <source>Isi nama pelanggan.</source>
        <translation>Enter the customer's name.</translation>
    </message>
</context>
<context>
    <name>WalkIn</name>
    <message>
        <source>Pilih pelanggan, atau tambahkan pelanggan baru.</source>
        <translation>Choose a customer, or add a new one.</translation>
    </message>
    <message>
        <source>Nomor telepon 9-13 angka, contoh 0812-3456-7890.</source>
        <translation>Phone needs 9-13 digits, e.g. 0812-3456-7890.</translation>
    </message>
    <message>
        <source>Isi nama sesuai KTP.</source>
        <translation>Enter the name as on the ID card.</translation>
    </message>
    <message>
        <source>Nama paling panjang 80 huruf, sekarang {0}. Singkat namanya.</source>
        <translation>A name has 80 letters at most, this one {0}. Shorten it.</translation>
    </message>
    <message>
        <source>NIK harus 16 angka, baru {0}.</source>
        <translation>NIK must be 16 digits, {0} so far.</translation>
    </message>
    <message>
        <source>Isi tanggal SIM, contoh 30/11/28.</source>
        <translation>Enter the licence's date, e.g. 30/11/28.</translation>
    </message>
    <message>
        <source>SIM habis {0}, sebelum tanggal kembali.</source>
        <translation>Licence expires {0}, before the return date.</translation>
    </message>
    <message>
        <source>Diskon 0-100 %, tanpa koma.</source>
        <translation>Discount is 0-100 %, no decimals.</translation>
    </message>
    <message>
        <source>Deposit minimal {0}.</source>
        <translation>Minimum deposit is {0}.</translation>
    </message>
    <message>
        <source>Uang muka dalam rupiah bulat, contoh 500rb.</source>
        <translation>Down payment in whole rupiah, e.g. 500k.</translation>
    </message>
    <message>
        <source>Pilih barang.</source>
        <translation>Choose an item.</translation>
    </message>
    <message>
        <source>Isi tanggal, contoh 30/11, besok, +3.</source>
        <translation>Enter a date, e.g. 30/11, tomorrow, +3.</translation>
    </message>
    <message>
        <source>Tanggal ambil sudah lewat.</source>
        <translation>The pick-up date has passed.</translation>
    </message>
    <message>
        <source>Tanggal kembali tidak boleh sebelum tanggal ambil.</source>
        <translation>The return cannot be before the pick-up.</translation>
    </message>
    <message>
        <source>Isi jam 00.00-23.59, contoh 14.05.</source>
        <translation>Enter a time 00:00-23:59, e.g. 14:05.</translation>
    </message>
    <message>
        <source>Jam kembali harus setelah jam ambil.</source>
        <translation>The return time must be after the pick-up time.</translation>
    </message>
    <message>
        <source>Lama sewa 1-365 hari.</source>
        <translation>Rental length is 1-365 days.</translation>
    </message>
    <message>
        <source>Belum bisa menahan unit: koneksi terputus.</source>
        <translation>Cannot hold a unit yet: connection lost.</translation>
    </message>
    <message>
        <source>Belum bisa menahan unit: koneksi terputus. Draf disimpan.</source>
        <translation>Cannot hold a unit yet: connection lost. Draft saved.</translation>
    </message>
    <message>
        <source>{0} sudah ditahan untuk {1}.</source>
        <translation>{0} is already held for {1}.</translation>
    </message>
    <message>
        <source>{0} untuk {1} sudah tersimpan: {2}.</source>
        <translation>{0} for {1} is already saved: {2}.</translation>
    </message>
    <message>
        <source>{0} untuk {1} ditahan · F9 di kalender untuk bayar</source>
        <translation>{0} for {1} is held · F9 in the calendar to pay</translation>
    </message>
    <message>
        <source>{0} untuk {1} juga tertahan: batalkan?</source>
        <translation>{0} for {1} is held too: cancel it?</translation>
    </message>
    <message>
        <source>{0} belum ditahan: {1} Drafnya disimpan.</source>
        <translation>{0} is not held: {1} The draft is kept.</translation>
    </message>
    <message>
        <source>Sewa {0} × {1}</source>
        <translation>Rent {0} × {1}</translation>
    </message>
    <message>
        <source>Deposit (dikembalikan)</source>
        <translation>Deposit (refunded)</translation>
    </message>
    <message>
        <source>Diskon {0} %</source>
        <translation>Discount {0} %</translation>
    </message>
    <message>
        <source>Tambahan dan diskon</source>
        <translation>Extras and discount</translation>
    </message>
    <message>
        <source>{0} unit · {1}</source>
        <translation>{0} units · {1}</translation>
    </message>
    <message>
        <source>Sewa {0} unit</source>
        <translation>Rent of {0} units</translation>
    </message>
    <message>
        <source>Sewa, beberapa tarif</source>
        <translation>Rent, several rates</translation>
    </message>
    <message>
        <source>Tambahan ({0})</source>
        <translation>Extras ({0})</translation>
    </message>
    <message>
        <source>sisa {0} sampai waktu ambil</source>
        <translation>balance {0} until pick-up</translation>
    </message>
    <message>
        <source>termasuk PPN {0}</source>
        <translation>includes PPN {0}</translation>
    </message>
    <message>
        <source>Kembali paling lambat {0} {1}</source>
        <translation>Return by {0} {1}</translation>
    </message>
    <message>
        <source>Kembali paling lambat {0} {1} (tutup)</source>
        <translation>Return by {0} {1} (closing)</translation>
    </message>
    <message>
        <source>Pukul {0} di luar jam buka {1}-{2}. Booking tetap bisa ditahan.</source>
        <translation>{0} is outside opening hours {1}-{2}. The booking can still be held.</translation>
    </message>
    <message>
        <source>{0} angka</source>
        <translation>{0} digits</translation>
    </message>
    <message>
        <source>Baru · {0}</source>
        <translation>New · {0}</translation>
    </message>
</context>
<context>
    <name>WalkInPanel</name>
    <message>
        <source>Booking baru</source>
        <translation>New booking</translation>
    </message>
    <message>
        <source>Draf tersimpan {0}</source>
        <translation>Draft saved {0}</translation>
    </message>
    <message>
        <source>Menahan…</source>
        <translation>Holding…</translation>
    </message>
    <message>
        <source>Menunggu persetujuan manajer, atau Esc.</source>
        <translation>Waiting for a manager's approval, or Esc.</translation>
    </message>
    <message>
        <source>Pilih dulu satu draf, atau Esc.</source>
        <translation>Choose a draft first, or Esc.</translation>
    </message>
    <message>
        <source>Pilih dulu: lanjutkan draf atau mulai baru.</source>
        <translation>Choose first: continue the draft or start new.</translation>
    </message>
    <message>
        <source>Bayar</source>
        <translation>Pay</translation>
    </message>
    <message>
        <source>Menerima pembayaran perlu peran Kasir.</source>
        <translation>Taking payments needs the role Cashier.</translation>
    </message>
    <message>
        <source>Belum bisa membayar: koneksi terputus.</source>
        <translation>Cannot pay yet: connection lost.</translation>
    </message>
    <message>
        <source>Tahan lagi 15 mnt</source>
        <translation>Hold again 15 min</translation>
    </message>
    <message>
        <source>Booking berikutnya</source>
        <translation>Next booking</translation>
    </message>
    <message>
        <source>Tahan 15 mnt &amp; tagih</source>
        <translation>Hold 15 min &amp; charge</translation>
    </message>
    <message>
        <source>Disetujui oleh {0}</source>
        <translation>Approved by {0}</translation>
    </message>
    <message>
        <source>{0} ditahan 15 menit</source>
        <translation>{0} held for 15 minutes</translation>
    </message>
    <message>
        <source>Tutup (Esc), draf tetap ada</source>
        <translation>Close (Esc), the draft stays</translation>
    </message>
    <message>
        <source>Parkir</source>
        <translation>Park</translation>
    </message>
    <message>
        <source>Simpan dulu, layani pelanggan berikutnya. Shift+F4: daftarnya</source>
        <translation>Keep it and serve the next customer. Shift+F4: the list</translation>
    </message>
    <message>
        <source>Batalkan tahan</source>
        <translation>Release the hold</translation>
    </message>
    <message>
        <source>Antrean</source>
        <translation>Waitlist</translation>
    </message>
    <message>
        <source>Semua unit terpakai di tanggal ini. Kami hubungi bila ada unit.</source>
        <translation>All units are taken on these dates. We call when one is free.</translation>
    </message>
</context>
<context>
    <name>WordFields</name>
    <message>
        <source>Login manajer</source>
        <translation>Manager's login</translation>
    </message>
    <message>
        <source>Kata sandi manajer</source>
        <translation>Manager's password</translation>
    </message>
    <message>
        <source>Tampilkan kata sandi</source>
        <translation>Show the password</translation>
    </message>
</context>
</TS>
