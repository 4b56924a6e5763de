import { formatPhone, lowerFirst } from '../shared/format.ts'
import { tidy } from '../shared/text.ts'
import type { EmailContent, EmailContext, EmailLink, Recipient } from './email.ts'
import type { OutgoingEmail } from './transport.ts'

type RenderedEmail = Pick<OutgoingEmail, 'subject' | 'text' | 'html'>
type Reader = Pick<Recipient, 'name' | 'emailVerified'>

/** The label of a home's address, which an unverified mailbox does not get. */
export const homeLabel = 'Domicilio'
/** The parts left out for an unverified address. */
const hiddenFacts: readonly string[] = [
  homeLabel,
  'Vehículo',
  'Oficina',
  'Zona',
  'Nota',
  'Total',
  'Anticipo',
  'De qué hablamos',
  'Qué sigue',
]

/** The e-mail to send; without name, address and phone for an unverified mailbox. */
export function renderEmail(content: EmailContent, reader: Reader, context: EmailContext): RenderedEmail {
  const { facts, folio, heading, link, links = [], paragraphs, subject = heading } = content
  const hidden = reader.emailVerified ? [] : hiddenFacts
  const page: Page = {
    heading,
    hasPortrait: shownPortrait(content, reader) !== null,
    // The name is free text from sign-up: to an unverified mailbox it could carry advertising.
    greeting: reader.name && reader.emailVerified ? `Hola, ${reader.name}:` : 'Hola:',
    paragraphs,
    facts: facts.filter((fact) => fact !== null).filter(([label]) => !hidden.includes(label)),
    help: helpFor(reader, context),
    brand: context.brand,
    link,
    links,
  }
  return {
    subject: tidy(folio ? `${subject} (${folio})` : subject),
    text: asText(page),
    html: asHtml(page),
  }
}

/** To an unverified mailbox goes no face. */
export const shownPortrait = ({ portrait }: EmailContent, { emailVerified }: Reader) =>
  (emailVerified && portrait) || null

function helpFor({ emailVerified }: Reader, { settings: { support } }: EmailContext) {
  const write = `¿Necesitas ayuda? Escribe a ${support.email}`
  return emailVerified && support.phone
    ? `${write} o llama al ${formatPhone(support.phone)} (${lowerFirst(support.hours)}).`
    : `${write}.`
}

type Page = Pick<EmailContent, 'heading' | 'paragraphs' | 'link'> & {
  hasPortrait: boolean
  greeting: string
  facts: readonly (readonly [label: string, value: string])[]
  links: readonly EmailLink[]
  /** Our contact data. */
  help: string
  brand: string
}

/** The e-mail as plain text. Each value stays on its own line, so that none can imitate another. */
function asText({ heading, greeting, paragraphs, facts, link, links, help, brand }: Page): string {
  const list = facts.map(([label, value]) => `${label}: ${tidy(value)}`).join('\n')
  const blocks = [heading, greeting, ...paragraphs].map(tidy)
  return [
    ...blocks,
    ...(list ? [list] : []),
    ...links.map(({ label, href }) => `${tidy(label)}: ${href}`),
    `${link.label}: ${link.href}`,
    `${tidy(help)}\n${tidy(brand)}`,
  ].join('\n\n')
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, including quoted attributes. */
const escaped = (text: string) => tidy(text).replace(/[&<>"']/g, (sign) => named[sign]!)

// Mail clients drop style sheets, and some support only tables: styles are inline.
const ink = 'color:#16201d'
const mute = 'color:#566460'
const font =
  'font-family:system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif;font-size:16px;line-height:1.5'

/** The e-mail as HTML: one column, a heading, facts as a table with row headers, one link. */
function asHtml({
  heading,
  greeting,
  paragraphs,
  facts,
  link,
  links,
  help,
  brand,
  hasPortrait,
}: Page): string {
  return `<!doctype html>
<html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title></head>
<body style="margin:0;background:#f7f8f8;${ink};${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#fff;border:1px solid #e3e8e6;border-radius:12px"><tr><td style="padding:24px;${font};${ink}">
<p style="margin:0 0 16px;color:#0b7a5b;font-weight:600">${escaped(brand)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escaped(heading)}</h1>
${[greeting, ...paragraphs].map(paragraph).join('\n')}
${hasPortrait ? face : ''}
${facts.length > 0 ? table(facts) : ''}
${links.map(button).join('\n')}
<p style="margin:0 0 24px"><a href="${escaped(link.href)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#0b7a5b;color:#fff;font-weight:600;text-decoration:none">${escaped(link.label)}</a></p>
<p style="margin:0;font-size:14px;${mute}">${escaped(help)}</p>
</td></tr></table>
</td></tr></table>
</body></html>
`
}

const face =
  '<p style="margin:0 0 16px"><img src="cid:retrato" alt="Foto de tu técnico" width="96" height="96" style="border-radius:12px"></p>'
const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
const button = ({ label, href }: EmailLink) =>
  `<p style="margin:0 0 12px"><a href="${escaped(href)}" style="display:inline-block;padding:12px 20px;border:1px solid #0b7a5b;border-radius:10px;color:#0b7a5b;font-weight:600;text-decoration:none">${escaped(label)}</a></p>`
const table = (facts: Page['facts']) =>
  `<table cellpadding="0" cellspacing="0" style="margin:0 0 20px;${font};${ink}">\n${facts.map(row).join('\n')}\n</table>`
const row = ([label, value]: readonly [string, string]) =>
  `<tr><th scope="row" align="left" valign="top" style="padding:2px 16px 2px 0;font-weight:400;${mute}">${escaped(label)}</th><td valign="top" style="padding:2px 0">${escaped(value)}</td></tr>`
