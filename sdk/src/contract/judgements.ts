/**
 * What “verified”, “certified”, “confirmed” and “official” are in other languages. A star stands for any ending, `_` for a space.
 * Nouns such as `vérification` and words with a second, common meaning are not in the table.
 */
const table = [
  // German, French, Spanish and Portuguese, Italian
  'verifiziert* geprüft* zertifiziert* bestätigt* offiziell*',
  'vérifié vérifiés vérifiée vérifiées certifié certifiés certifiée certifiées confirmé confirmés confirmée confirmées officiel*',
  'verificad* certificad* confirmad* oficial*',
  'verificato verificata verificati certificato certificata confermato confermata ufficial*',
  // Dutch, Swedish, Danish, Norwegian, Finnish
  'geverifieerd* gecertificeerd* bevestigd officieel verifierad verifierat verificeret verifisert offisiell* vahvistettu virallinen',
  // Polish, Czech, Romanian, Hungarian, Turkish
  'zweryfikowan* certyfikowan* potwierdzon* oficjaln* ověřený ověřeno ověřená verificat hitelesített hivatalos doğrulanmış onaylı resmi',
  // Greek, Russian, Ukrainian and Bulgarian
  'επαληθευμέν* πιστοποιημέν* επίσημ* проверен* подтвержд* сертифицирован* верифицирован* официал* перевірен* підтверджен* верифікован* офіційн*',
  // Indonesian, Vietnamese, Hindi
  'terverifikasi tersertifikasi đã_xác_minh đã_xác_thực chính_thức सत्यापित प्रमाणित आधिकारिक',
  // Arabic, Persian, Hebrew
  'موثق موثقة الموثق معتمد معتمدة المعتمد رسمي رسمية الرسمي الرسمية رسمی מאומת רשמי',
]

/** Each word with whether it may have an ending. */
export const judgements = table
  .join(' ')
  .split(' ')
  .map((word) => ({ words: word.replaceAll('_', ' ').replace('*', ''), isStem: word.endsWith('*') }))

/** The same in scripts without spaces, where they are part of longer words. `非官方` says the opposite, and `数学公式` is a formula. */
export const judgementsWithin =
  /已验证|已驗證|已认证|已認證|已核实|已核實|(?<!非)官方|認証済|検証済|確認済|(?<![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])公式(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])|인증됨|인증된|인증완료|검증됨|검증된|검증완료|확인됨|(?<!\p{sc=Hangul})공식(?!\p{sc=Hangul})|ยืนยันแล้ว|อย่างเป็นทางการ/u
