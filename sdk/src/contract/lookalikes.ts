import { rareOf } from './rare-lookalikes.ts'
import { rowsOf } from './rows.ts'

/**
 * Characters that people read as these Latin letters although Unicode does not decompose them (UTS 39 §4): Cyrillic, Greek, Cherokee,
 * Armenian, Coptic, Lisu and Georgian letters, Canadian syllabics, Tifinagh, runes, digits of other scripts, small capitals, letters
 * with strokes, hooks and tails. Letters in boxes are computed below.
 */
const lookalikes = `a @ɑαаաᎪᴀᶏ∂ⱥⲁꓮ⍺ᗅᗩ
b ƀƃɓʙβвъьᏴᵬᶀⲃꓐꞗᗷᑲƅ
c ƈȼɕςсᴄⲥꓚꞓꞔꮯ𝼝ᑕ
d đƌȡɖɗԁԃᎠᴅᵭᶁᶑꓓꟈᗞᗪᑯ
e ǝɇɘəɛεеєҽᎬᴇᶒᶓ℮ⱸⲉꓰꬴ⋴ᗴꬲꬳ
f ƒϝքᵮᶂẝꓝꜰꞙᖴꬵ
g ǥɠɡɢԍգցᏀᏻᶃꓖꞡꬶ
h ħɦʜнһԋհᎻⱨⲏꓧꞕᕼ
j ȷɉʝϳјյᎫᴊꓙᒍ
k ƙκкқҝҡӄԟᏦᴋᶄⱪⲕꓗꝁꝃꝅꞣᛕ
l 1i|ıŀłƚǈȴɨɩɪɫɬɭʟιіӏլᎥᏞᶅᶖⱡⲓꓡꓲꝉꞎꬷꬸꬹ𝼑𝼓𝼚ⵏᒪוןا⍳⍸߁ߊ丨ᅵǀꟾ
m ɱмᎷᴍᵯᶆⲙꓟꬺᗰᛖ
n ƞǋȵɲɳɴηпңҥԥոռᴎᵰᶇⲛꓠꞑꞥꬻᑎ
o 0øɵοσоөօᎾᴏᴑᶗⱺⲟꓳꝋꝍꬿ𝼛ⵔⵙסه٥०੦૦௦౦೦൦๐໐၀߀ߋ۵০〇ᄋꬽ
p ƥρϸрҏᏢᴘᵱᵽᶈⲣꓑꝑꝓꝕ🆊⍴ᑭ
q ɋʠԛզꝗꝙꞯ
r ɍɼɽɾʀгᎡᏒᴙᴦᵲᵳᶉⲅꓣꞧꭉꭋꭌ𝼖ᖇꭇꭈ
s $ƽȿʂѕՏᏚᵴᶊẜꓢꜱꞩꟊ𝼞ᔕ
t ŧƫƭȶʈτтҭեᎢᴛᵵⱦⲧꓔ𝼉
u ʋμυцսᑌᴜᶙꓴꞹꭎꭒ
v νѵᏙᴠᶌ∨ⱱⱴꓦꝟⴸᐯꪜ٧۷
w ωѡԝᎳᴡⱳⲱꓪ⍵ᗯ
x ×χхҳӽᕁᶍⲭꓫꭖꭗꭘꭙⵝ᙭ᚷ
y ƴɏʏγуүӯᎩỿⲩꓬꭚყჿ
z ƶȥɀʐʑζҙᏃᴢᵶᶎⱬⲍꓜᘔ
ss ß
ae æᴁ
oe œɶ
th þ`

/** Greek capitals that look like another Latin letter than their lower case. */
export const greekCapitals: Readonly<Record<string, string>> = { Η: 'H', Μ: 'M', Ν: 'N', Υ: 'Y' }

const boxed = Array.from({ length: 26 }, (_, i) =>
  // From U+1F150 in black circles, from U+1F170 in black squares.
  [0x1f150, 0x1f170].map((first) => [String.fromCodePoint(first + i), String.fromCharCode(97 + i)] as const),
).flat()

/** The Latin letter that each character is read as. */
export const latinOf: ReadonlyMap<string, string> = new Map([
  ...boxed,
  ...rowsOf(lookalikes).flatMap(([latin = '', others = '']) =>
    Array.from(others.toLowerCase() + others, (other) => [other, latin] as const),
  ),
])

const asLatin = (character: string) => latinOf.get(character) ?? character

/** Text as it looks: without case and marks, and with Latin letters in place of similar letters of other alphabets. */
export const resembled = (text: string): string => {
  // The ASCII characters of the table; this takes a third of the time, and most texts are ASCII.
  if (/^[\0-~]*$/.test(text)) return text.toLowerCase().replace(/[@1i|0$]/g, asLatin)
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const isMixed = /\p{Script=Latin}/u.test(plain)
  const small = plain
    .replace(/[^\0-~]/gu, (letter) => rareOf.get(letter) ?? ((isMixed && greekCapitals[letter]) || letter))
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
  return Array.from(small, asLatin).join('')
}
