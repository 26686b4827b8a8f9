import { rowsOf } from '../contract/rows.ts'

/**
 * The look of HTML's named character references (HTML §13.5) that look like ASCII or nothing. A rule covers letters
 * with marks and in other styles: `&eacute;`, `&eopf;`. The others look like neither. Each row is a look and its names.
 */
const rows = ` af ApplyFunction DotDot DownBreve ic InvisibleComma InvisibleTimes it lrm NegativeMediumSpace NegativeThickSpace NegativeThinSpace NegativeVeryThinSpace NoBreak rlm shy tdot TripleDot ZeroWidthSpace zwj zwnj Tab NewLine
_ lowbar UnderBar acute breve cedil Cedilla dblac die dot DoubleDot emsp13 emsp14 emsp ensp hairsp macr MediumSpace nbsp NonBreakingSpace numsp ogon oline OverBar puncsp ring strns ThickSpace thinsp ThinSpace tilde uml VeryThinSpace
- dash horbar hyphen mdash minus ndash
. period
.. nldr
... hellip mldr
/ frasl sol
\\ Backslash bsol setminus setmn smallsetminus ssetmn
: colon ratio
% percnt
@ commat
& amp
# num
? quest
= bne equals ne NotEqual
; semi
, comma
! excl
$ dollar
* ast midast
+ plus
^ Hat
\` DiacriticalGrave grave
' apos
" quot
( lpar
) rpar
[ lbrack lsqb
] rbrack rsqb
{ lbrace lcub
} rbrace rcub
| verbar vert VerticalLine
< lt nless nlt NotLess nvlt
> gt ngt ngtr NotGreater nvgt
1 sup1
2 sup2
3 sup3
a acy alpha angst npart ordf part PartialD
ae aelig
b bernou Bernoullis beta hardcy softcy vcy
c Cayleys complexes scy sigmaf sigmav varsigma
d CapitalDifferentialD dd DifferentialD
e ee epsi epsilon epsiv expectation exponentiale iecy iocy jukcy straightepsilon varepsilon
f digamma fnof Fouriertrf gammad
ff fflig
ffi ffilig
ffl ffllig
fi filig
fj fjlig
fl fllig
h Eta hamilt hbar HilbertSpace ncy planck planckh plankv Poincareplane quaternions
i ii Im image ImaginaryI imagline imagpart
ij ijlig
j jmath jsercy
k kappa kappav kcy kjcy varkappa
l ell imath inodot iota iukcy lagran Laplacetrf yicy lmidot
m mcy Mellintrf Mu phmmat
n eta naturals Nu pcy
no numero
o ocy omicron order orderof ordm sigma
oe oelig
p primes rcy rho rhov varrho
q rationals
r gcy gjcy Re real realine realpart reals
s circledS dscy oS
ss szlig
t tau tcy
th thorn
tm trade
u micro mu tscy upsi upsilon
v nu or vee
w ohm omega
x chi khcy times
y gamma ubrcy ucy Upsi upsih Upsilon
z imped integers zeetrf zeta`

const looksOf = new Map(rowsOf(rows).flatMap(([looks = '', ...names]) => names.map((name) => [name, looks] as const)))
const styled =
  /^([a-z])(?:fr|opf|scr|acute|grave|circ|uml|tilde|ring|cedil|caron|breve|dot|macr|ogon|slash|strok|dblac)$/i
/** Browsers decode these even without a semicolon. */
const unended =
  /^(?:amp|lt|gt|quot|shy|nbsp|ord[fm]|micro|times|sup[123]|szlig|thorn|aelig|[aeinouyc](?:acute|grave|circ|uml|tilde|ring|cedil|slash))/i

/** The look of a named reference, and how much of it was read. The case of a sign's name is ignored. */
export const readName = (name: string, isEnded: boolean): { looks: string; length: number } | undefined => {
  const known = isEnded ? (looksOf.get(name) ?? styled.exec(name)?.[1] ?? looksOf.get(name.toLowerCase())) : undefined
  if (known !== undefined) return { looks: known, length: name.length + 1 }
  const [start] = unended.exec(name) ?? []
  const looks = start && (looksOf.get(start) ?? styled.exec(start)?.[1] ?? looksOf.get(start.toLowerCase()))
  return start === undefined || looks === undefined ? undefined : { looks, length: start.length }
}
