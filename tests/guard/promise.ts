const opening = '(?:<|&lt;?|&#60;?|&#x3c;?|＜)'
const attributes = `(?:\\s+[a-z-]+=(?:"[^"<>\`]*"|'[^'<>\`]*'|[^\\s"'<>=\`&]+))*\\s*`
/** Without escapes, which are markup to a program that decodes twice. */
const content = '(?:(?!&[#a-z]|[＜＞［］])[^<>`~\\\\\\t\\n[\\]]|`[^`<>\\\\~\\n[\\]]+`|</?[bi]>)*'
const plainAnchor = new RegExp(`<a${attributes}>${content}</a>|<a\\s[^<>]*href=["']?$`, 'gi')
/** An anchor that a browser may not see closed, so that the link is inside it. */
const openAnchor = new RegExp(`${opening}a(?:rea)?[\\s/]`, 'i')

const plainTag =
  /<\/?(?:b|br|button|code|details|i|img|p|s|span|summary|wbr)(?:\s+[a-z]+(?:=(?:"[^"<>`]*"|'[^'<>`]*'|[^\s"'<>=`]+))?)*\s*\/?>/gi
const bracket = '(?:\\[|［|&#91;|&lbrack;)'
/** A tag after a bracket, or around it, before a label ends: a browser may read that end as part of the tag. */
const tagInLabel = new RegExp(
  `(?:${bracket}.*${opening}|${opening}[^>]*${bracket}[^>]*>).*(?:\\]|］|&#93;|&rbrack;)[[(:]`,
  's',
)

const plainHref = /\\href\{[^\s{}\\%]{1,1200}\}\{[^{}\\$%^&<>\n]{0,400}\}/g
/** A formula's link whose label may continue. */
const openHref = /\\href/i
/** In MathML, any element with an address is a link, and one without an end tag stays open. */
const mathHref = new RegExp(`${opening}math.*href`, 'is')

/** Browsers show none of the text after it. */
const hiding =
  /<(iframe|no(?:embed|frames|script)|plaintext|script|style|template|textarea|title|xmp)[\s/>](?!.*<\/\1)/is

/** It opens code where the guard ends the address before it. */
const backtickInAddress = /https?:\S*`/i

/** Whether an own link after this text must come through: nothing may still be open, in any program. */
export const isPromisedAfter = (before: string) =>
  !(
    openAnchor.test(before.replace(plainAnchor, '')) ||
    before.split(/\n[ \t\r]*\n/).some((paragraph) => tagInLabel.test(paragraph.replace(plainTag, ''))) ||
    openHref.test(before.replace(plainHref, '')) ||
    mathHref.test(before) ||
    hiding.test(before) ||
    backtickInAddress.test(before)
  )
