<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="id_ID" sourcelanguage="id_ID">
<context>
    <name>CustomerHits</name>
    <message numerus="yes">
        <source>%n tagihan belum lunas</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EngineNotes</name>
    <message numerus="yes">
        <source>Indeks berbeda {day} {time}: %n unit, belum dibetulkan.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Indeks berbeda {day} {time}: %n unit, sudah dibetulkan.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GridCorner</name>
    <message numerus="yes">
        <source>%n unit</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InvoicesFooter</name>
    <message numerus="yes">
        <source>%n tagihan lunas</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tagihan belum lunas</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sedang dikunci kasir lain</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RefundsPage</name>
    <message numerus="yes">
        <source>%n menunggu</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettlementCards</name>
    <message numerus="yes">
        <source>dan %n booking lain di pesanan ini</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
</TS>
