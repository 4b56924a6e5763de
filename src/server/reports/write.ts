import { addressLine } from '../../domain/projects/address.ts'
import { answerInWords } from '../../domain/reports/answer-words.ts'
import { isSignature, slotFacts, slotsOf } from '../../domain/reports/photos.ts'
import { sectionsOf } from '../../domain/reports/progress.ts'
import type { Question } from '../../domain/reports/report.ts'
import { formatPhone, longDate, longDateTime } from '../../domain/shared/format.ts'
import type { EmailContext } from '../notifications/email.ts'
import type { Handover, Picture, Row } from '../platform/pdf/paper.ts'
import type { HandedOver } from './handover-queries.ts'

type Asked = {
  house: Pick<EmailContext, 'brand' | 'baseUrl' | 'settings'>
  small: (picture: HandedOver['pictures'][number]) => Promise<Uint8Array | null>
}

/** Puts what is stored into the words of the document; `small` reads a picture's small size. */
export async function writeHandover(found: HandedOver, { house, small }: Asked): Promise<Handover> {
  const pictures = await picturesOf(found, small)
  const done = found.finishedAt ?? found.startedAt
  return {
    ...{
      kind: 'handover',
      folio: found.folio,
      brand: house.brand,
      day: done ? longDate(done) : 'día acordado',
    },
    people: [
      { label: 'Cliente', value: found.customer },
      ...(found.address ? [{ label: 'Domicilio', value: addressLine(found.address) }] : []),
      { label: 'Técnico', value: found.technician },
      ...rowsOf(found, 'firmas').map(({ value }) => ({ label: 'Recibió', value })),
    ],
    charger: [...rowsOf(found, 'cargador'), ...rowsOf(found, 'canalizacion')],
    tests: testsOf(found),
    walkthrough: rowsOf(found, 'entrega'),
    warranty: found.warrantyUntil && longDate(found.warrantyUntil),
    photos: pictures.filter(({ slot }) => !isSignature(slot)),
    signatures: pictures
      .filter(({ slot }) => isSignature(slot))
      .map((one) => ({ ...one, name: signerOf(one, found) })),
    faults: faultLines(house),
  }
}

const questionsOf = (id: string): readonly Question[] =>
  sectionsOf.installation.find((section) => section.id === id)?.questions ?? []

function rowsOf({ answers }: HandedOver, section: string): Row[] {
  return questionsOf(section).flatMap((question) => {
    const value = answerInWords(question, answers[question.name])
    return value === null ? [] : [{ label: question.label, value }]
  })
}

/** Notes are the house's own. */
const testsOf = (found: HandedOver): Handover['tests'] =>
  questionsOf('pruebas')
    .filter(({ kind }) => kind !== 'lines')
    .flatMap((question) => {
      const value = answerInWords(question, found.answers[question.name])
      return value === null ? [] : [{ label: question.label, value, limit: question.help ?? null }]
    })

/** Those there are, in the order they are asked for. */
const picturesOf = ({ pictures }: HandedOver, small: Asked['small']) =>
  Promise.all(
    slotsOf.installation
      .flatMap((slot) => pictures.filter((picture) => picture.slot === slot))
      .map(
        async (picture): Promise<Picture & { slot: string }> => ({
          ...{ slot: picture.slot, sha256: picture.sha256 },
          label: slotFacts('installation', picture.slot)?.label ?? picture.slot,
          taken: longDateTime(picture.capturedAt),
          bytes: await small(picture),
        }),
      ),
  )

const signerOf = ({ slot }: { slot: string }, { answers, technician }: HandedOver) =>
  slot === 'signature_technician' ? technician : String(answers.customerName ?? '')

function faultLines({ baseUrl, settings: { support } }: Asked['house']) {
  return [
    'Si huele a quemado, ves chispas o el interruptor se baja una y otra vez: baja el interruptor «Cargador», no lo uses y llámanos.',
    `Durante tu garantía entra a ${baseUrl}/installation y elige «Reportar una falla»: dinos qué pasa y mándanos fotos.`,
    `También puedes llamar al ${formatPhone(support.phone)} o escribir a ${support.email} (${support.hours}).`,
  ]
}
