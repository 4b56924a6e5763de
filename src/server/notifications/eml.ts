/**
 * Reads the messages that our own post writes, no others: headers in encoded words of UTF-8, a text part first.
 * Enough for the development page and for tests; a general parser would be a dependency.
 */
export function readEml(source: string): { subject: string; to: string; text: string } {
  const { headers } = partOf(source)
  return { subject: words(headers.subject ?? ''), to: words(headers.to ?? ''), text: textOf(source) }
}

/** The text of a part: its own, or that of the first part inside. */
function textOf(source: string): string {
  const { headers, body } = partOf(source)
  const boundary = /boundary="?([^";]+)"?/i.exec(headers['content-type'] ?? '')?.[1]
  if (boundary) return textOf(body.split(`--${boundary}`)[1]?.replace(/^\r\n/, '').replace(/\r\n$/, '') ?? '')
  return decoded(body, headers['content-transfer-encoding']).replaceAll('\r\n', '\n').trim()
}

function partOf(source: string): { headers: Record<string, string | undefined>; body: string } {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const pairs = lines.map((line) => [
    line.split(':', 1)[0]!.toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { headers: Object.fromEntries(pairs), body: source.slice(end + 4) }
}

/** Encoded words (RFC 2047) as text. Blanks between two of them are not part of it. */
const words = (header: string) =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/(?:=\?UTF-8\?[QB]\?[^?]*\?=)+/gi, (run) =>
      Buffer.concat(
        [...run.matchAll(/\?([QB])\?([^?]*)\?=/gi)].map(([, how, word]) => bytes(how!, word!)),
      ).toString(),
    )

const bytes = (how: string, word: string) =>
  how.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : unquoted(word.replaceAll('_', ' '))

/** The text of a part that travelled in an encoding. */
export function decoded(content: string, encoding = '7bit') {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString()
  return encoding === 'quoted-printable' ? unquoted(content.replace(/=\r\n/g, '')).toString() : content
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
