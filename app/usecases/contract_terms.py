"""The program's own terms of rental, for branches that have written none: Indonesian, and English beside it."""

from __future__ import annotations

from collections.abc import Mapping

EDITION = 1
"""The latest edition. An older one stays here for ever: contracts made under it are printed again with it."""

LANGUAGES = ("id", "en")

_ID_1 = """\
1. Para pihak. Perjanjian ini dibuat antara cabang yang disebut di atas ("Pemberi Sewa") dan penyewa yang disebut \
di atas ("Penyewa"). Yang mengemudikan hanya Penyewa dan pengemudi yang dicatat dalam perjanjian ini, masing-masing \
dengan SIM yang sesuai dan masih berlaku selama masa sewa, kecuali unit disewa dengan sopir dari Pemberi Sewa.
2. Masa sewa. Masa sewa dimulai dan berakhir pada waktu yang tertulis untuk setiap unit, menurut waktu setempat di \
cabang. Setiap tanggal yang tersentuh dihitung satu hari, kecuali cabang menghitung per 24 jam.
3. Pembayaran. Sewa, tambahan, dan deposit dibayar lunas sebelum kunci diserahkan. Harga yang tertulis sudah tetap \
untuk masa sewa ini dan tidak berubah bila tarif cabang berubah.
4. Deposit. Deposit adalah titipan milik Penyewa dan bukan bagian dari sewa. Setelah unit diperiksa saat kembali, \
deposit dikembalikan utuh atau dikurangi biaya yang menjadi tanggungan Penyewa menurut perjanjian ini, dengan \
rincian tertulis. Bila biaya lebih besar daripada deposit, Penyewa membayar selisihnya.
5. Serah terima. Keadaan unit, angka odometer, isi bahan bakar, dan kelengkapan dicatat bersama saat serah dan saat \
kembali. Unit dikembalikan di cabang yang sama, dengan isi bahan bakar paling sedikit sama seperti saat diserahkan, \
kecuali disepakati lain secara tertulis.
6. Pemakaian. Penyewa memakai unit dengan hati-hati dan menurut peraturan lalu lintas. Unit tidak boleh dialihkan \
atau disewakan kepada orang lain, dipakai untuk lomba, menarik kendaraan lain, mengangkut barang terlarang, atau \
dibawa ke luar wilayah yang diizinkan cabang.
7. Terlambat. Terlambat sampai 30 menit tidak dikenai biaya. Setelah itu 10 % dari tarif harian untuk setiap jam \
yang dimulai; lebih dari 3 jam dihitung satu hari penuh, dan dalam setiap 24 jam paling banyak satu tarif harian.
8. Perpanjangan. Perpanjangan diminta sebelum masa sewa berakhir dan berlaku setelah disetujui dan dibayar. Unit \
yang sudah dipesan orang lain mungkin tidak dapat diperpanjang.
9. Kerusakan dan kehilangan. Penyewa segera memberi tahu cabang bila terjadi kerusakan, kecelakaan, atau \
kehilangan, dan melapor kepada polisi bila ada korban atau unit hilang. Penyewa menanggung kerusakan dan kehilangan \
selama masa sewa sejauh timbul karena kesalahan atau kelalaiannya, sebesar biaya perbaikan atau penggantian yang \
wajar dan terbukti. Keausan karena pemakaian biasa tidak ditagihkan.
10. Mogok. Bila unit mogok bukan karena kesalahan Penyewa, Pemberi Sewa mengganti unit dengan yang setara atau \
mengembalikan sewa untuk hari yang tidak terpakai.
11. Tilang. Denda lalu lintas dan tol selama masa sewa ditanggung Penyewa, juga bila baru diketahui kemudian.
12. Pembatalan. Pembatalan paling lambat 48 jam sebelum waktu ambil mengembalikan seluruh sewa; antara 48 dan 24 \
jam setengahnya; kurang dari 24 jam tidak ada sewa yang dikembalikan. Deposit selalu dikembalikan penuh. Bila \
Penyewa tidak datang, dipotong satu hari sewa.
13. Jaminan. Barang yang dititipkan sebagai jaminan dicatat dalam perjanjian ini, disimpan oleh cabang, dan \
dikembalikan saat sewa selesai.
14. Data pribadi. Data Penyewa dipakai untuk perjanjian ini dan untuk kewajiban menurut hukum, dan tidak diberikan \
kepada pihak lain tanpa dasar hukum.
15. Perselisihan. Perselisihan diselesaikan lebih dulu dengan musyawarah. Bila tidak tercapai, berlaku hukum \
Indonesia dan diajukan ke pengadilan negeri di tempat cabang berada."""

_EN_1 = """\
1. Parties. This agreement is made between the branch named above (the "Lessor") and the customer named above (the \
"Lessee"). Only the Lessee and the drivers recorded in this agreement drive, each holding a licence of the right \
class that stays valid through the rental, unless the unit is rented with the Lessor's own driver.
2. Period. The rental begins and ends at the times written for each unit, in the branch's local time. Every \
calendar day touched counts as one day, unless the branch counts by 24 hours.
3. Payment. Rent, extras and deposit are paid in full before the keys are handed over. The prices written here are \
fixed for this rental and do not follow later changes of the branch's rates.
4. Deposit. The deposit remains the Lessee's money and is no part of the rent. After the unit is checked on return \
it is paid back in full, or less the charges that the Lessee owes under this agreement, itemised in writing. Where \
charges are higher than the deposit, the Lessee pays the difference.
5. Handover. Condition, odometer, fuel and accessories are recorded together on handing over and on return. The \
unit comes back to the same branch with at least as much fuel as it left with, unless agreed otherwise in writing.
6. Use. The Lessee drives with care and within the traffic laws. The unit may not be passed on or sublet, raced, \
used to tow, used to carry forbidden goods, or taken outside the area the branch allows.
7. Late return. Up to 30 minutes late is free. After that, 10 % of the daily rate for each hour begun; more than 3 \
hours count as a whole day, and never more than one daily rate is charged within 24 hours.
8. Extension. An extension is asked for before the rental ends and holds once it is approved and paid. A unit that \
is reserved for somebody else may not be available any longer.
9. Damage and loss. The Lessee tells the branch at once about damage, an accident or a loss, and reports to the \
police where somebody is hurt or the unit is missing. The Lessee bears damage and loss during the rental as far as \
caused by their fault or carelessness, at the reasonable and proven cost of repair or replacement. Ordinary wear is \
not charged.
10. Breakdown. Where a unit breaks down through no fault of the Lessee, the Lessor replaces it by an equal one or \
pays back the rent of the unused days.
11. Fines. Traffic fines and tolls of the rental period are the Lessee's, also when they become known later.
12. Cancellation. Up to 48 hours before pick-up the whole rent is paid back; between 48 and 24 hours half of it; \
later than that none. The deposit is always paid back in full. Where the Lessee does not appear, one day's rent is \
kept.
13. Collateral. What is left as collateral is recorded in this agreement, kept by the branch, and given back when \
the rental ends.
14. Personal data. The Lessee's data serve this agreement and duties under the law, and are not passed on without a \
legal basis.
15. Disputes. The parties first try to settle a dispute amicably. Failing that, Indonesian law applies and the \
district court of the branch's place decides. Where the two languages differ, the Indonesian text prevails."""

_EDITIONS: Mapping[int, Mapping[str, str]] = {1: {"id": _ID_1, "en": _EN_1}}


def own_terms(language: str, edition: int) -> str:
    """The program's text in `id` or `en`; KeyError for an edition this program does not have."""
    return _EDITIONS[edition][language]
