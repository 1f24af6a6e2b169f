"""The labels that pages add to a statement, in the languages of contests."""

from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a language."""

    time_limit: str
    memory_limit: str
    seconds: str
    sample: str
    input: str
    output: str
    copy: str
    copied: str
    source: str
    authors: str


# In the order of the fields.
_LABELS = {
    "en": "Time limit|Memory limit|s|Sample|Input|Output|Copy|Copied|Source|Authors",
    "cs": "Časový limit|Paměťový limit|s|Příklad|Vstup|Výstup|Kopírovat|Zkopírováno|Zdroj|Autoři",
    "de": "Zeitlimit|Speicherlimit|s|Beispiel|Eingabe|Ausgabe|Kopieren|Kopiert|Quelle|Autoren",
    "es": "Límite de tiempo|Límite de memoria|s|Ejemplo|Entrada|Salida|Copiar|Copiado|Fuente|Autores",
    "fr": "Limite de temps|Limite de mémoire|s|Exemple|Entrée|Sortie|Copier|Copié|Source|Auteurs",
    "id": "Batas waktu|Batas memori|detik|Contoh|Masukan|Keluaran|Salin|Tersalin|Sumber|Penulis",
    "it": "Limite di tempo|Limite di memoria|s|Esempio|Input|Output|Copia|Copiato|Fonte|Autori",
    "ja": "実行時間制限|メモリ制限|秒|入出力例|入力|出力|コピー|コピーしました|出典|作者",
    "ko": "시간 제한|메모리 제한|초|예제|입력|출력|복사|복사됨|출처|출제자",
    "nl": "Tijdslimiet|Geheugenlimiet|s|Voorbeeld|Invoer|Uitvoer|Kopiëren|Gekopieerd|Bron|Auteurs",
    "pl": "Limit czasu|Limit pamięci|s|Przykład|Wejście|Wyjście|Kopiuj|Skopiowano|Źródło|Autorzy",
    "pt": "Limite de tempo|Limite de memória|s|Exemplo|Entrada|Saída|Copiar|Copiado|Fonte|Autores",
    "ru": "Ограничение по времени|Ограничение по памяти|с|Пример|Входные данные|Выходные данные"
    "|Скопировать|Скопировано|Источник|Авторы",
    "sv": "Tidsgräns|Minnesgräns|s|Exempel|Indata|Utdata|Kopiera|Kopierat|Källa|Författare",
    "tr": "Zaman sınırı|Bellek sınırı|sn|Örnek|Girdi|Çıktı|Kopyala|Kopyalandı|Kaynak|Yazarlar",
    "uk": "Обмеження часу|Обмеження пам’яті|с|Приклад|Вхідні дані|Вихідні дані"
    "|Копіювати|Скопійовано|Джерело|Автори",
    "vi": "Giới hạn thời gian|Giới hạn bộ nhớ|giây|Ví dụ|Dữ liệu vào|Kết quả|Sao chép|Đã sao chép|Nguồn|Tác giả",
    "zh": "时间限制|内存限制|秒|样例|输入|输出|复制|已复制|来源|作者",
    "zh-hant": "時間限制|記憶體限制|秒|範例|輸入|輸出|複製|已複製|來源|作者",
}
_TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo")


def labels_for(language: str) -> Labels:
    """Return the labels of a language code such as `ja` or `pt-BR`, else the English ones."""
    code = language.lower()
    code = "zh-hant" if code.startswith(("zh-hant", *_TRADITIONAL)) else code.partition("-")[0]
    words = _LABELS.get(code, _LABELS["en"]).split("|")
    return Labels(**dict(zip(Labels.__dataclass_fields__, words, strict=True)))
