/** What WinAnsi, the alphabet of a PDF's own fonts, has beyond Latin-1. */
const beyondLatin1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')
const instead: Record<string, string> = {
  ...{ Ω: 'ohm', '≥': '>=', '≤': '<=', '−': '-', '√': 'raíz de ', '→': '->' },
  ...{ Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i' },
}

const has = (sign: string) => /^[\n\x20-\x7e\xa0-\xff]$/.test(sign) || beyondLatin1.has(sign)

/** A text in the signs that Helvetica has, which no reader of PDF needs to be sent: "5 MΩ" is "5 Mohm". */
export const inHelvetica = (text: string): string => [...text.normalize('NFC')].map(nearest).join('')

function nearest(sign: string): string {
  if (has(sign)) return sign
  const plain = instead[sign] ?? sign.normalize('NFD').replace(/\p{M}/gu, '')
  return [...plain].every(has) ? plain : '?'
}
