/**
 * What “verified”, “certified”, “confirmed” and “official” are in other languages. A star stands for any ending, `_` for a space.
 * Nouns such as `vérification` and words with a second, common meaning are not in the table.
 */
const table = [
  // German, French, Spanish and Portuguese, Italian
  'verifiziert* geprüft* zertifiziert* beglaubigt* bestätigt* geprueft* überprüft* ueberprueft* bestaetigt* offiziell* amtlich*',
  'vérifié vérifiés vérifiée vérifiées certifié certifiés certifiée certifiées confirmé confirmés confirmée confirmées officiel*',
  'verificad* comprobad* comprovad* certificad* confirmad* oficial*',
  'verificato verificata verificati verificate comprovato comprovata certificato certificata confermato confermata confermati confermate ufficial*',
  // Dutch, Swedish, Danish, Norwegian, Finnish
  'geverifieerd* gecertificeerd* bevestigd officieel verifierad* verifierat certifierad* certifierat bekräftad bekräftat bekräftade verifieret',
  'verificeret verificerede certificeret bekræftet bekræftede verifisert* sertifisert* bekreftet offisiel* vahvistettu varmennettu sertifioitu virallinen virallise*',
  // Polish, Czech, Romanian, Hungarian, Turkish
  'zweryfikowan* sprawdzon* certyfikowan* potwierdzon* oficjaln* ověřený ověřeno ověřená ověřené certifikovan* potvrzen*',
  'verificat confirmat confirmate confirmată hitelesített ellenőrzött tanúsított megerősített hivatalos doğrulanmış doğrulandı sertifikalı teyitli onaylı onaylandı resmi',
  // Greek, Russian, Ukrainian and Bulgarian
  'επαληθευμέν* επαληθεύτηκε πιστοποιημέν* επιβεβαιωμέν* επίσημ* проверен* подтвержд* сертифицирован* верифицирован* заверен* удостоверен* официал*',
  'перевірен* підтверджен* сертифікован* верифікован* засвідчен* офіційн* потвърден* сертифициран* верифициран*',
  // Indonesian, Vietnamese, Hindi
  'terverifikasi diverifikasi tersertifikasi bersertifikat terkonfirmasi đã_xác_minh đã_xác_thực đã_xác_nhận đã_chứng_nhận được_xác_minh được_xác_thực được_xác_nhận được_chứng_nhận chính_thức',
  'सत्यापित प्रमाणित प्रमाणीकृत आधिकारिक',
  // Arabic, Persian, Hebrew
  'موثق موثقة الموثق الموثقة مؤكد مؤكدة المؤكد مصدق مصدقة المصدق تم_التحقق معتمد معتمدة المعتمد رسمي رسمية الرسمي الرسمية',
  'رسمی تأیید_شده گواهی_شده מאומת מאומתת אומת מוסמך מוסמכת רשמי רשמית',
]

/** Each word with whether it may have an ending. */
export const judgements = table
  .join(' ')
  .split(' ')
  .map((word) => ({ words: word.replaceAll('_', ' ').replace('*', ''), isStem: word.endsWith('*') }))

/**
 * The same in scripts without spaces, where they are part of longer words, except in known ones that say something else: `非官方` says the
 * opposite, `数学公式` is a formula, `正規表現` a pattern and `인공식물` a plant.
 */
export const judgementsWithin =
  /[已经經過过](?:验证|驗[證証]|认证|認[證証])|(?:验证|驗[證証]|认证|認[證証])通[过過]|已(?:核[实實验驗]|确认|確認|证实|[證証][實実])|(?<!非)官(?:方|[网網](?![络絡路]))|(?:認証|検証|確認|認定)(?:済|ずみ|された)|(?<!非|対数)正規(?!\p{sc=Han})|(?<!非)正規[品版店代販取]|(?<!非)公認(?!会計|會計)|(?<!非|[数數化理][学學]|算)公式(?![化集识識计計编編推])|(?<!アン)オフィシャル|(?:인증|검증|확인)(?:됨|된|받은|완료)|(?<!비|[가인](?=공식[물품])|(?:수|화)학 ?|물리 ?)공식(?!화)|오피셜|ยืนยันแล้ว|ตรวจสอบแล้ว|(?:ได้รับ|ผ่าน)การ(?:ยืนยัน|ตรวจสอบ)|(?<!ห้อง)รับรอง|อย่างเป็นทางการ/u
