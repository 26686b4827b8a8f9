/**
 * The look of HTML's named character references (HTML §13.5) that look like ASCII or nothing. A rule covers letters
 * with marks and in other styles: `&eacute;`, `&eopf;`. The others look like neither.
 */
const rows: readonly (readonly [looks: string, names: string])[] = [
  [
    '',
    'af ApplyFunction DotDot DownBreve ic InvisibleComma InvisibleTimes it lrm NegativeMediumSpace NegativeThickSpace NegativeThinSpace NegativeVeryThinSpace NoBreak rlm shy tdot TripleDot ZeroWidthSpace zwj zwnj Tab NewLine',
  ],
  [
    '_',
    'lowbar UnderBar acute Breve breve cedil Cedilla dblac die Dot dot DoubleDot emsp13 emsp14 emsp ensp hairsp macr MediumSpace nbsp NonBreakingSpace numsp ogon oline OverBar puncsp ring strns ThickSpace thinsp ThinSpace tilde uml VeryThinSpace',
  ],
  ['-', 'dash horbar hyphen mdash minus ndash'],
  ['.', 'period'],
  ['..', 'nldr'],
  ['...', 'hellip mldr'],
  ['/', 'frasl sol'],
  ['\\', 'Backslash bsol setminus setmn smallsetminus ssetmn'],
  [':', 'colon ratio'],
  ['%', 'percnt'],
  ['@', 'commat'],
  ['&', 'AMP amp'],
  ['#', 'num'],
  ['?', 'quest'],
  ['=', 'bne equals ne NotEqual'],
  [';', 'semi'],
  [',', 'comma'],
  ['!', 'excl'],
  ['$', 'dollar'],
  ['*', 'ast midast'],
  ['+', 'plus'],
  ['^', 'Hat'],
  ['`', 'DiacriticalGrave grave'],
  ["'", 'apos'],
  ['"', 'QUOT quot'],
  ['(', 'lpar'],
  [')', 'rpar'],
  ['[', 'lbrack lsqb'],
  [']', 'rbrack rsqb'],
  ['{', 'lbrace lcub'],
  ['}', 'rbrace rcub'],
  ['|', 'verbar vert VerticalLine'],
  ['<', 'LT lt nless nlt NotLess nvlt'],
  ['>', 'GT gt ngt ngtr NotGreater nvgt'],
  ['1', 'sup1'],
  ['2', 'sup2'],
  ['3', 'sup3'],
  ['a', 'Acy acy Alpha alpha angst npart ordf part PartialD'],
  ['ae', 'AElig aelig'],
  ['b', 'bernou Bernoullis Beta beta HARDcy hardcy SOFTcy softcy Vcy vcy'],
  ['c', 'Cayleys complexes Scy scy sigmaf sigmav varsigma'],
  ['d', 'CapitalDifferentialD DD dd DifferentialD'],
  [
    'e',
    'ee epsi Epsilon epsilon epsiv expectation ExponentialE exponentiale IEcy iecy IOcy iocy Jukcy jukcy straightepsilon varepsilon',
  ],
  ['f', 'digamma fnof Fouriertrf Gammad gammad'],
  ['ff', 'fflig'],
  ['ffi', 'ffilig'],
  ['ffl', 'ffllig'],
  ['fi', 'filig'],
  ['fj', 'fjlig'],
  ['fl', 'fllig'],
  ['h', 'Eta hamilt hbar HilbertSpace Ncy ncy planck planckh plankv Poincareplane quaternions'],
  ['i', 'ii Im image ImaginaryI imagline imagpart'],
  ['ij', 'IJlig ijlig'],
  ['j', 'jmath Jsercy jsercy'],
  ['k', 'Kappa kappa kappav Kcy kcy KJcy kjcy varkappa'],
  ['l', 'ell imath inodot Iota iota Iukcy iukcy lagran Laplacetrf YIcy yicy lmidot Lmidot'],
  ['m', 'Mcy mcy Mellintrf Mu phmmat'],
  ['n', 'eta naturals Nu Pcy pcy'],
  ['no', 'numero'],
  ['o', 'Ocy ocy Omicron omicron order orderof ordm Sigma sigma'],
  ['oe', 'OElig oelig'],
  ['p', 'primes Rcy rcy Rho rho rhov varrho'],
  ['q', 'rationals'],
  ['r', 'Gcy gcy GJcy gjcy Re real realine realpart reals'],
  ['s', 'circledS DScy dscy oS'],
  ['ss', 'szlig'],
  ['t', 'Tau tau Tcy tcy'],
  ['th', 'THORN thorn'],
  ['tm', 'TRADE trade'],
  ['u', 'micro mu TScy tscy upsi upsilon'],
  ['v', 'nu or vee'],
  ['w', 'ohm Omega omega'],
  ['x', 'Chi chi KHcy khcy times'],
  ['y', 'Gamma gamma Ubrcy ubrcy Ucy ucy Upsi upsih Upsilon'],
  ['z', 'imped integers zeetrf Zeta zeta'],
]

const looksOf = new Map(rows.flatMap(([looks, names]) => names.split(' ').map((name) => [name, looks] as const)))
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
