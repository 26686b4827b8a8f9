/**
 * Characters that people read as these Latin letters although Unicode does not decompose them (UTS 39 §4): Cyrillic, Greek, Cherokee,
 * Armenian, Coptic, Lisu and Georgian letters, Canadian syllabics, Tifinagh, runes, digits of other scripts, small capitals, letters
 * with strokes, hooks and tails, and letters in boxes.
 */
export const lookalikes = [
  ['a', '@ɑαаաᎪᴀᶏẚ∂ⱥⲁꓮ🅐🅰⍺ᗅᗩ'],
  ['b', 'ƀƃɓʙβЪЬвъьᏴᵬᶀⲃꓐꞗ🅑🅱ᗷᑲ'],
  ['c', 'ƈȼɕςϲсᏟᴄⲥꓚꞓꞔꮯ𝼝🅒🅲ᑕ'],
  ['d', 'đƌǅǲȡɖɗԁԃᎠᴅᵭᶁᶑꓓꟈ🅓🅳ᗞᗪᑯ'],
  ['e', 'ǝɇɘəɛεеєҽᎬᴇᶒᶓ℮ℯⱸⲉꓰꬴ🅔🅴⋴ᗴ'],
  ['f', 'ƒϝքᵮᶂẝꓝꜰꞙ🅕🅵ᖴ'],
  ['g', 'ǥɠɡɢԍգցᏀᏻᶃꓖꞡꬶ🅖🅶'],
  ['h', 'ħɦʜНнҺһԋհᎻⱨⲏꓧꞕ🅗🅷ᕼ'],
  ['j', 'ȷɉʝϳјյᎫᴊꓙ🅙🅹ᒍ'],
  ['k', 'ƙκкқҝҡӄԟᏦᴋᶄⱪⲕꓗꝁꝃꝅꞣ🅚🅺ᛕ'],
  ['l', '1i|ıĿŀłƚǈȴɨɩɪɫɬɭʟιіӀӏլᎥᏞᶅᶖⅼⱡⲓꓡꓲꝉꞎꬷꬸꬹ𝼑𝼓𝼚🅘🅛🅸🅻ⵏᒪוןا⍳⍸߁ߊ丨ㅣᅵ'],
  ['m', 'ɱмᎷᴍᵯᶆⲙꓟꬺ🅜🅼ᗰᛖ'],
  ['n', 'ƞǋȵɲɳɴηпңҥԥոռᴎᵰᶇⲛꓠꞑꞥꬻ🅝🅽ᑎ'],
  ['o', '0øɵοσоөօᎾᴏᴑᶗⱺⲟꓳꝋꝍꬿ𝼛🅞🅾ⵔⵙסه٥०੦૦௦౦೦൦๐໐၀߀ߋ۵০〇ㅇᄋ'],
  ['p', 'ƥρϸрҏᏢᴘᵱᵽᶈⲣꓑꝑꝓꝕ🅟🅿🆊⍴ᑭ'],
  ['q', 'ɋʠԛզꝗꝙꞯ🅠🆀'],
  ['r', 'ɍɼɽɾʀгᎡᏒᴙᴦᵲᵳᶉⲅꓣꞧꭉꭋꭌ𝼖🅡🆁ᖇ'],
  ['s', '$ƽȿʂѕՏᏚᵴᶊẜꓢꜱꞩꟊ𝼞🅢🆂ᔕ'],
  ['t', 'ŧƫƭȶʈτтҭեᎢᴛᵵⱦⲧꓔ𝼉🅣🆃'],
  ['u', 'ʋμυцՍսᑌᴜᶙꓴꞹꭎꭒ🅤🆄'],
  ['v', 'νѵᏙᴠᶌ∨ⱱⱴꓦꝟ🅥🆅ⴸᐯꪜ٧۷'],
  ['w', 'ωѡԝᎳᴡⱳⲱꓪ🅦🆆⍵ᗯ'],
  ['x', '×χхҳӽᕁᶍⲭꓫꭖꭗꭘꭙ🅧🆇ⵝ᙭ᚷ'],
  ['y', 'ƴɏʏγуҮүӯᎩỿⲩꓬꭚ🅨🆈ყჿ'],
  ['z', 'ƶȥɀʐʑζҙᏃᴢᵶᶎⱬⲍꓜ🅩🆉ᘔ'],
  ['ss', 'ß'],
  ['ae', 'æᴁ'],
  ['oe', 'œɶ'],
  ['th', 'þ'],
] as const

/** Greek capitals that look like another Latin letter than their lower case. */
export const greekCapitals: Readonly<Record<string, string>> = { Η: 'H', Μ: 'M', Ν: 'N', Υ: 'Y' }

const latinOf = new Map<string, string>(
  lookalikes.flatMap(([latin, others]) =>
    [...others].flatMap((other) => [[other.toLowerCase(), latin] as const, [other, latin] as const]),
  ),
)

/** Text as it looks: without case and marks, and with Latin letters in place of similar letters of other alphabets. */
export const resembled = (text: string): string => {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const isMixed = /\p{Script=Latin}/u.test(plain)
  const small = plain
    .replace(/[ΗΜΝΥ]/g, (capital) => (isMixed && greekCapitals[capital]) || capital)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
  return [...small].map((character) => latinOf.get(character) ?? character).join('')
}
