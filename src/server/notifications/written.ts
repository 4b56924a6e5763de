import { serviceFacts } from '../../domain/services.ts'
import { tidy } from '../../domain/tidy.ts'
import { asHtml, asText, type Content } from './render.ts'
import type { Letter } from './transport.ts'
import { type Fact, type House, helpFor, hiddenFacts, type Reader, type Told } from './told.ts'

export type Written = Pick<Letter, 'subject' | 'text' | 'html'>
/** What a letter says of its matter; facts that are null are left out. */
export type Words = {
  subject: string
  heading: string
  paragraphs: readonly string[]
  facts: readonly (Fact | null)[]
  /** More ways on than the letter's own. */
  links?: readonly Content['link'][]
}

/** A letter about an appointment, laid out. To an unverified e-mail it carries no name, address or phone. */
export function written(
  words: Words,
  told: Pick<Told, 'folio' | 'service'>,
  reader: Reader,
  house: House,
  link: Content['link'],
): Written {
  const known: Fact[] = [
    ['Folio', told.folio],
    ['Servicio', serviceFacts[told.service].label],
  ]
  return laidOut(
    { ...words, subject: `${words.subject} (${told.folio})`, facts: [...known, ...words.facts] },
    reader,
    house,
    link,
  )
}

/** A letter as it is sent. */
export function laidOut(words: Words, reader: Reader, house: House, link: Content['link']): Written {
  const hidden = reader.emailVerified ? [] : hiddenFacts
  const content: Content = {
    heading: words.heading,
    // The name is whatever somebody typed at sign-up: to a mailbox that nobody proved it could carry anybody's advertisement.
    greeting: reader.name && reader.emailVerified ? `Hola, ${reader.name}:` : 'Hola:',
    paragraphs: words.paragraphs,
    facts: words.facts.filter((fact) => fact !== null).filter(([label]) => !hidden.includes(label)),
    help: helpFor(reader, house),
    brand: house.brand,
    link,
    links: words.links ?? [],
  }
  return { subject: tidy(words.subject), text: asText(content), html: asHtml(content) }
}
