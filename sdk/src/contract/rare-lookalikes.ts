import { rowsOf } from './rows.ts'

/**
 * More of them, for names and domains: characters whose skeleton in UTS 39 is Latin letters or digits, of alphabets that few names have.
 * Apart from the others, because they would take 700 bytes of what a browser loads to check the text of a model. Those of the first row
 * look like apostrophes or only make a word longer.
 */
const rareLookalikes = ` ʻʼʽʾʿـ
. ꓹꓽꓸꓻꓺⵗ
2 ƧƨꝚꝛϨꙄᒿꛯ
3 ƷʒȜȝꜪꜫꝪꝫɜꞫⳌ𖼻𑣊
4 Ꮞ𑢯
5 𑢻
6 ⳒᏮ𑣕
7 𐓒𑣆
8 Ȣȣ৪੪𐌚
9 Ꝯꝯ੧୨৭൭Ⳋ𑣌𑢬𑣖
a 𖽀𐊠
ae ӕӔ
b ꞴꞵᏏᖯ𐊂𐊡𐌁ᑳҍҌѣѢᒈ
c 𐐽𑣲𑣩𐊢𐌂𐐕𐔜ҫҪ
d ꝺᏧꓒᒇðÐ
e ⴹ𑢦𑢮𐊆ҿ
f ꝼ𑣂𑢢𐊇𐊥𐔥ʃƩ
g ƍ
h Ꮒ𐋏ꚕᏲћӉӇ
i ꙇ𑣃
k 𐔘Ҟĸ
l ۱١𐌠ᛁ𖼨𐊊𐌉Ⳑ𖼖𑢣𑢲𐐛𐔦ᣳ
ll ǁ
m 𐊰𐌑Ӎ𑣣𑜀
n 𐔓ŋŊ
o ഠဝ𐓪𑣈𑣗𐐬୦𑓐𑣠ዐଠ𐓂𑢵𐊒𐊫𐐄𐔖ⵁѳꮻѲⴱᏫꭴᎤတɔƆ
oo ꝎꝏꚙꚘ
p 𐊕ᒆᣖ
q ⵕ
r ꞃꮁ𐒴𖼵ғґᣴ
s ꞅ𑣁𐑈Ꮥ𖼺𐊖𐐠ᣵ
t ꞇ𖼊𑢼𐊗𐊱𐌕
u 𐓶𑣘ሀ𐓎𖽂𑢸ꮜᏌᑧʉɄʊƱꞟꞞ
v 𑜆𑣀ꛟ𖼈𑢠𐔝
w 𑜊𑜎𑜏𑣯𑣦Ꮤѽ𑓅ɯƜ
x ꭓꭕᕽ𐌢𑣬𐊐𐊴𐌗𐔧
y 𑣜Ꮍ𖽃𑢤𐊲ұҰɣƔ
z 𑣄𐋵𑣥𑢩ᙆ`

/** By the letter as written: in some of these alphabets capital and small letters look like different Latin ones. */
export const rareOf: ReadonlyMap<string, string> = new Map(
  rowsOf(rareLookalikes).flatMap(([latin = '', others = '']) => [...others].map((other) => [other, latin] as const)),
)
