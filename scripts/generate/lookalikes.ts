/**
 * Characters that people read as these Latin letters although Unicode does not decompose them (UTS 39 §4): Cyrillic, Greek, Cherokee,
 * Armenian, Coptic, Lisu and Georgian letters, Canadian syllabics, Tifinagh, runes, digits of other scripts, small capitals, letters
 * with strokes, hooks and tails. `lookalikes.ts` adds letters in boxes.
 */
const rows = `a @ɑαаաᎪᴀᶏ∂ⱥⲁꓮ⍺ᗅᗩ
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
z ƶȥɀʐʑζҙᏃᴢᵶᶎⱬⲍꓜᘔ`

/** Each character as its distance from the one before it, in base 36 and left out if it is 1, and the letter in upper case. */
const encoded = () => {
  const characters = rows
    .split('\n')
    .map((row) => row.split(' '))
    .flatMap(([latin = '', others = '']) => Array.from(others, (other) => [other.codePointAt(0) ?? 0, latin] as const))
    .sort(([one], [other]) => one - other)
  return characters
    .map(([point, latin], index) => {
      const distance = point - (characters[index - 1]?.[0] ?? 0)
      return `${distance === 1 ? '' : distance.toString(36)}${latin.toUpperCase()}`
    })
    .join('')
}

/** sdk/src/contract/lookalike-table.ts. As rows, the characters take 800 bytes more of what a browser loads. */
export const lookalikeTable = () => `// Written by \`npm run generate\` from scripts/generate/lookalikes.ts.
export const table =
  '${encoded()}'
`
