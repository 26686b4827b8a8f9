/**
 * What “verified”, “certified”, “confirmed” and “official” are in other languages. A star stands for any ending, `_` for a space.
 * Nouns such as `vérification` and words with a second, common meaning are not in the table.
 */
const table = [
  // German, French, Spanish and Portuguese, Italian
  'verifiziert* geprüft* zertifiziert* beglaubigt* bestätigt* geprueft* bestaetigt* offiziell* amtlich*',
  'vérifié vérifiés vérifiée vérifiées certifié certifiés certifiée certifiées confirmé confirmés confirmée confirmées officiel*',
  'verificad* comprobad* comprovad* certificad* confirmad* oficial*',
  'verificato verificata verificati comprovato comprovata certificato certificata confermato confermata ufficial*',
  // Dutch, Swedish, Danish, Norwegian, Finnish
  'geverifieerd* gecertificeerd* bevestigd officieel verifierad* verifierat certifierad* certifierat bekräftad bekräftat bekräftade',
  'verificeret verificerede certificeret bekræftet verifisert* sertifisert* bekreftet offisiell* vahvistettu varmennettu sertifioitu viralli*',
  // Polish, Czech, Romanian, Hungarian, Turkish
  'zweryfikowan* sprawdzon* certyfikowan* potwierdzon* oficjaln* ověřený ověřeno ověřená ověřené certifikovan* potvrzen*',
  'verificat verificată confirmat confirmată hitelesített ellenőrzött tanúsított megerősített hivatalos doğrulanmış doğrulandı sertifikalı teyitli onaylı resmi',
  // Greek, Russian, Ukrainian and Bulgarian
  'επαληθευμέν* πιστοποιημέν* επιβεβαιωμέν* επίσημ* проверен* подтвержд* сертифицирован* верифицирован* заверен* удостоверен* официал*',
  'перевірен* підтверджен* сертифікован* верифікован* засвідчен* офіційн* потвърден* сертифициран* верифициран*',
  // Indonesian, Vietnamese, Hindi
  'terverifikasi diverifikasi tersertifikasi bersertifikat terkonfirmasi đã_xác_minh đã_xác_thực đã_xác_nhận đã_chứng_nhận chính_thức',
  'सत्यापित प्रमाणित प्रमाणीकृत आधिकारिक',
  // Arabic, Persian, Hebrew
  'موثق موثقة الموثق الموثقة مؤكد مؤكدة المؤكد مصدق مصدقة المصدق تم_التحقق معتمد معتمدة المعتمد رسمي رسمية الرسمي الرسمية',
  'رسمی تأیید_شده تایید_شده گواهی_شده מאומת מאומתת מוסמך מוסמכת רשמי רשמית',
]

/** Each word with whether it may have an ending. */
export const judgements = table
  .join(' ')
  .split(' ')
  .map((word) => ({ words: word.replaceAll('_', ' ').replace('*', ''), isStem: word.endsWith('*') }))

/**
 * The same in scripts without spaces, where they are part of longer words. `非官方` says the opposite, `数学公式` is a formula, and `正規表現`
 * a pattern.
 */
export const judgementsWithin =
  /[已经經](?:验证|驗證|认证|認證)|已核实|已核實|已确认|已確認|(?<!非)官方|認証済|検証済|確認済|認定済|(?<!非)正規(?=品|版|店|代理|販売)|(?<!非)公認(?!会計|會計)|(?<![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])(?:公式|正規)(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])|인증됨|인증된|인증완료|검증됨|검증된|검증완료|확인됨|확인완료|(?<!\p{sc=Hangul})공식(?!\p{sc=Hangul})|ยืนยันแล้ว|ตรวจสอบแล้ว|(?<!ห้อง)รับรอง|อย่างเป็นทางการ/u
