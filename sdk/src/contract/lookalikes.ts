/**
 * What Unicode does not take apart but people read as these Latin letters (UTS 39 §4): letters of Cyrillic, Greek, Cherokee,
 * Armenian, Coptic and Lisu, small capitals, letters with strokes, hooks and tails, and letters in boxes.
 */
export const lookalikes = [
  ['a', '@ɑαаաᎪᴀᶏẚ∂ⱥⲁꓮ🅐🅰'],
  ['b', 'ƀƃɓʙβЪЬвъьᏴᵬᶀⲃꓐꞗ🅑🅱'],
  ['c', 'ƈȼɕςϲсᏟᴄⲥꓚꞓꞔꮯ𝼝🅒🅲'],
  ['d', 'đƌǅǲȡɖɗԁԃᎠᴅᵭᶁᶑꓓꟈ🅓🅳'],
  ['e', 'ǝɇɘəɛεеєҽᎬᴇᶒᶓ℮ℯⱸⲉꓰꬴ🅔🅴'],
  ['f', 'ƒϝքᵮᶂẝꓝꜰꞙ🅕🅵'],
  ['g', 'ǥɠɡɢԍգցᏀᏻᶃꓖꞡꬶ🅖🅶'],
  ['h', 'ħɦʜНнҺһԋհᎻⱨⲏꓧꞕ🅗🅷'],
  ['j', 'ȷɉʝϳјյᎫᴊꓙ🅙🅹'],
  ['k', 'ƙκкқҝҡӄԟᏦᴋᶄⱪⲕꓗꝁꝃꝅꞣ🅚🅺'],
  ['l', '1i|ıĿŀłƚǈȴɨɩɪɫɬɭʟιіӀӏլᎥᏞᶅᶖⅼⱡⲓꓡꓲꝉꞎꬷꬸꬹ𝼑𝼓𝼚🅘🅛🅸🅻'],
  ['m', 'ɱмᎷᴍᵯᶆⲙꓟꬺ🅜🅼'],
  ['n', 'ƞǋȵɲɳɴηпңҥԥոռᴎᵰᶇⲛꓠꞑꞥꬻ🅝🅽'],
  ['o', '0øɵοσоөօᎾᴏᴑᶗⱺⲟꓳꝋꝍꬿ𝼛🅞🅾'],
  ['p', 'ƥρϸрҏᏢᴘᵱᵽᶈⲣꓑꝑꝓꝕ🅟🅿🆊'],
  ['q', 'ɋʠԛզꝗꝙꞯ🅠🆀'],
  ['r', 'ɍɼɽɾʀгᎡᏒᴙᴦᵲᵳᶉⲅꓣꞧꭉꭋꭌ𝼖🅡🆁'],
  ['s', '$ƽȿʂѕՏᏚᵴᶊẜꓢꜱꞩꟊ𝼞🅢🆂'],
  ['t', 'ŧƫƭȶʈτтҭեᎢᴛᵵⱦⲧꓔ𝼉🅣🆃'],
  ['u', 'ʋμυцՍսᑌᴜᶙꓴꞹꭎꭒ🅤🆄'],
  ['v', 'νѵᏙᴠᶌ∨ⱱⱴꓦꝟ🅥🆅'],
  ['w', 'ωѡԝᎳᴡⱳⲱꓪ🅦🆆'],
  ['x', '×χхҳӽᕁᶍⲭꓫꭖꭗꭘꭙ🅧🆇'],
  ['y', 'ƴɏʏγуҮүӯᎩỿⲩꓬꭚ🅨🆈'],
  ['z', 'ƶȥɀʐʑζҙᏃᴢᵶᶎⱬⲍꓜ🅩🆉'],
  ['ss', 'ß'],
  ['ae', 'æᴁ'],
  ['oe', 'œɶ'],
  ['th', 'þ'],
] as const

/** Greek capitals that look like another Latin letter than their small ones do. */
export const greekCapitals: Readonly<Record<string, string>> = { Η: 'H', Μ: 'M', Ν: 'N', Υ: 'Y' }

const latinOf = new Map<string, string>(
  lookalikes.flatMap(([latin, others]) => [...others].flatMap((other) => [[other.toLowerCase(), latin] as const, [other, latin] as const])),
)

/** Text as it looks: without case and marks, other alphabets' letters as the Latin ones that they resemble. */
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
