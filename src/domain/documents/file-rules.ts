import { withoutTail } from '../shared/text.ts'

/** Decodes UTF-8; null for bytes of another encoding. */
function utf8In(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** A comment, text as it is, or an instruction: nothing in them is markup. One that does not end takes the rest. */
const notMarkup = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)/g

/**
 * The text of an XML as a sender's program may have written it, from its first `<` on and without the NULs at its end, and
 * the same with its markup alone. Null where it is not UTF-8 or declares something of its own: no invoice has a document
 * type, and readers of one fetch and expand what it names.
 */
export function plainXmlIn(bytes: Uint8Array): { whole: string; markup: string } | null {
  const whole = withoutTail(utf8In(bytes.subarray(Math.max(0, bytes.indexOf(0x3c)))) ?? '', '\0')
  const markup = whole.replace(notMarkup, '')
  if (markup === '' || /<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(markup)) return null
  return { whole, markup }
}
