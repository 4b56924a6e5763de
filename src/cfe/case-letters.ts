import type { Actor } from '../access/rules/actor.ts'
import { noteRead } from '../accounts/privacy.ts'
import { documentsSeen } from '../documents/documents.ts'
import { documentKindOf } from '../documents/rules/file-rules.ts'
import { type Db, isId } from '../platform/database/client.ts'
import type { CopiedPages, Uncopied } from '../platform/pdf/copied.ts'
import type { LetterBatch, LetterPaper } from '../platform/pdf/paper.ts'
import { copyInThread } from '../platform/pdf/render.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'
import { log } from '../platform/telemetry/log.ts'
import { addressLine } from '../projects/rules/address.ts'
import { answersOf, approvedVisit } from '../reports/prefilled.ts'
import { calculationBasis, calculationRows } from '../reports/rules/calculation.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { formatPhone, fullName, longDate } from '../shared/format.ts'
import { municipalityLabel, type StateSlug, stateLabel } from '../shared/places.ts'
import { refuse } from '../shared/refusal.ts'
import { caseSeen, type SeenCase } from './queries.ts'
import { neededBy, neededOf, papersOf } from './rows.ts'
import { type CaseKind, caseKindLabels, worksOnCases } from './rules/case.ts'
import {
  type CasePaperName,
  casePaperFacts,
  needsFeasibility,
  paperLabel,
  supplyFor,
} from './rules/papers.ts'

/** A line to fill in by hand where the value is unknown. */
const blank = '______________________________'

const asked: Record<CaseKind, string> = {
  second_meter: 'la contratación de un segundo medidor',
  load_increase: 'el aumento de la carga contratada del servicio',
  new_service: 'la contratación de un servicio nuevo',
  name_change: 'el cambio de nombre del titular del servicio',
}

const customerOf = ({ customer }: SeenCase) => fullName(customer)
const holderOf = (seen: SeenCase) => seen.row.holderName ?? customerOf(seen)
const placeOf = ({ address }: SeenCase) => (address ? addressLine(address) : blank)

const head = ({ address, row }: SeenCase, brand: string, now: Date) => ({
  kind: 'letter' as const,
  factsTitle: 'Datos del servicio',
  brand,
  subtitle: `${address ? cityOf(address) : blank}, a ${dayOfLetter(now)}`,
  addressee: ['Comisión Federal de Electricidad', 'CFE Suministrador de Servicios Básicos', 'Presente'],
  folio: row.folio,
})

/** A letter names the city: of the capital not its borough, elsewhere with the state. */
function cityOf({ municipality, state }: NonNullable<SeenCase['address']>): string {
  const named = stateLabel(state as StateSlug)
  return state === 'cdmx' ? named : `${municipalityLabel(municipality)}, ${named}`
}

/** "22 de noviembre de 2026": a letter's date has no day of the week. */
const dayOfLetter = (now: Date) => longDate(now).replace(/^\S+ /, '')

const kilowatts = (value: number | null) => (value === null ? '______\u00a0kW' : `${value}\u00a0kW`)

/** What the letter asks to be changed, before and after. */
function loadOf(
  { contractedKilowatts, kind, requestedKilowatts, tariff }: SeenCase['row'],
  hasCalculation: boolean,
): string[] {
  const why = hasCalculation ? ', según la memoria de cálculo anexa' : ''
  const billed = tariff ? `, en tarifa ${tariff}` : ''
  if (kind === 'load_increase')
    return [
      `El servicio tiene contratados ${kilowatts(contractedKilowatts)}${billed}, y se pide que queden en ${kilowatts(requestedKilowatts)}${why}.`,
    ]
  return kind === 'name_change'
    ? []
    : [`La carga que se solicita es de ${kilowatts(requestedKilowatts)}${why}.`]
}

/** The letter by which the holder requests the subject of a case from CFE, with its enclosures. */
export function writeRequest(seen: SeenCase, brand: string, now: Date, hasCalculation: boolean): LetterPaper {
  const { row } = seen
  const builds = row.kind !== 'name_change'
  return {
    ...head(seen, brand, now),
    title: `Solicitud: ${caseKindLabels[row.kind].toLowerCase()}`,
    paragraphs: [
      `Quien suscribe, ${holderOf(seen)}, solicita ${asked[row.kind]} en el domicilio ubicado en ${placeOf(seen)}.`,
      ...(builds
        ? [
            ...loadOf(row, hasCalculation),
            `El servicio alimentará un cargador de vehículo eléctrico de ${row.chargerKilowatts ?? '______'}\u00a0kW de uso particular.`,
          ]
        : [`El servicio queda a nombre de ${customerOf(seen)}.`]),
      ...(builds && needsFeasibility(row)
        ? [
            `Se pide además el estudio de factibilidad, pues ${row.isThreePhase ? 'el suministro es trifásico' : `el poste más cercano está a ${row.poleMetres}\u00a0m del medidor`}.`,
          ]
        : []),
    ],
    facts: [
      { label: 'Titular', value: holderOf(seen) },
      { label: 'Domicilio', value: placeOf(seen) },
      { label: 'Teléfono', value: seen.customer.phone ? formatPhone(seen.customer.phone) : blank },
      {
        label: row.kind === 'second_meter' ? 'Servicio existente' : 'Número de servicio',
        value: row.serviceNumber ?? blank,
      },
      { label: 'Número de medidor', value: row.meterNumber ?? blank },
      ...(builds
        ? [
            ...(row.kind === 'load_increase'
              ? [
                  { label: 'Tarifa', value: row.tariff ?? blank },
                  { label: 'Carga contratada', value: kilowatts(row.contractedKilowatts) },
                ]
              : []),
            { label: 'Carga solicitada', value: kilowatts(row.requestedKilowatts) },
            { label: 'Suministro', value: supplyFor(row.requestedKilowatts, row.isThreePhase) ?? blank },
            {
              label: 'Distancia del poste al medidor',
              value: row.poleMetres === null ? blank : `${row.poleMetres}\u00a0m`,
            },
          ]
        : []),
    ],
    enclosed: [
      ...(hasCalculation ? ['Memoria de cálculo'] : []),
      ...neededBy(row).map((name) => casePaperFacts[name].label),
    ],
    signatures: [
      { name: holderOf(seen), as: 'Firma del titular' },
      ...(seen.gester ? [{ name: seen.gester, as: 'Quien entrega' }] : []),
    ],
  }
}

/** The calculation, by the visit that a case rests on; null where that did not measure enough, and for a change of name. */
export async function writeCalculation(
  db: Db,
  seen: SeenCase,
  brand: string,
  now: Date,
): Promise<LetterPaper | null> {
  const { kind, projectId } = seen.row
  const visit = kind === 'name_change' ? null : await approvedVisit(db, projectId)
  const facts = visit ? calculationRows(await answersOf(db, visit.id)) : []
  if (facts.length === 0) return null
  return {
    ...head(seen, brand, now),
    title: 'Memoria de cálculo',
    addressee: [holderOf(seen), placeOf(seen)],
    paragraphs: calculationBasis,
    factsTitle: 'Datos y resultados',
    facts,
    enclosed: [],
    signatures: [],
  }
}

/** More is no morning at an office, and no document that fits the memory of its thread. */
const mostAtOnce = 20
/**
 * Sheets of papers that are bound in, of one paper and of all, their bytes together, and how long PDFs are worked on:
 * waiting for documents of others is not counted.
 */
const most = { sheetsOfOne: 20, sheets: 80, bytes: 40 * 1024 * 1024, timeMs: 16_000 }

type From = { db: Db; drive: Drive; brand: string; baseUrl: string }

/**
 * What is taken to CFE's office on one day: a list of the chosen cases and of what each hands in, and behind it their
 * letters. Cases that an actor may not see are not there.
 */
export async function writeBatch(
  { baseUrl, brand, db, drive }: From,
  actor: Actor,
  ids: readonly string[],
  now: Date,
): Promise<LetterBatch> {
  if (!worksOnCases(actor)) refuse('not-found')
  const chosen = ids.filter(isId).slice(0, mostAtOnce)
  const found = await Promise.all(
    chosen.map(async (id) => ({ seen: await caseSeen(db, actor, id), papers: await papersOf(db, id) })),
  )
  const cases = await Promise.all(
    found.flatMap(({ papers, seen }) =>
      seen
        ? writeCalculation(db, seen, brand, now).then((calculation) => ({
            seen,
            calculation,
            papers: neededOf(seen.row, papers),
          }))
        : [],
    ),
  )
  if (cases.length === 0) refuse('not-found')
  const prints = await printsOf({ db, drive }, actor, cases)
  await noteConstancias(db, actor, cases, prints)
  return {
    kind: 'letters',
    brand,
    folio: `Ventanilla-${localDate(toMinutes(now))}`,
    title: 'Para la ventanilla de CFE',
    subtitle: longDate(now),
    cases: cases.map(({ papers, seen }) => ({
      title: `${seen.row.folio}, ${caseKindLabels[seen.row.kind].toLowerCase()}`,
      note: [customerOf(seen), seen.row.serviceNumber && `servicio ${seen.row.serviceNumber}`]
        .filter(Boolean)
        .join(', '),
      papers: papers.map((paper) => {
        const print = prints.get(paper.documentId ?? '')
        const link = print?.isApart ? `${baseUrl}/documents/${paper.documentId}` : null
        return { label: paperLabel(paper), value: print?.words ?? 'Falta', link }
      }),
    })),
    apart: [...prints.values()].some(({ isApart }) => isApart)
      ? `Los documentos van después de la carta de cada trámite: hasta ${most.sheets} hojas, ${most.sheetsOfOne} de cada uno, y 40\u00a0MB entre todos. Los que no van tienen su enlace: imprímelos aparte.`
      : null,
    bound: cases.map(({ calculation, papers, seen }) => ({
      letters: [
        writeRequest(seen, brand, now, calculation !== null),
        ...(calculation ? [calculation] : []),
        ...(papers.some(({ name }) => name === 'power') ? [writePower(seen, brand, now)] : []),
      ],
      papers: papers.flatMap((paper) => {
        const bound = prints.get(paper.documentId ?? '')?.bound
        return bound ? [{ folio: seen.row.folio, label: paperLabel(paper), ...bound }] : []
      }),
    })),
  }
}

/** Each look at fiscal data is noted, also of a constancia that is one paper among many. */
async function noteConstancias(
  db: Db,
  actor: Actor,
  cases: readonly { seen: SeenCase; papers: readonly { name: CasePaperName; documentId: string | null }[] }[],
  prints: ReadonlyMap<string, Print>,
) {
  for (const { papers, seen } of cases)
    for (const { documentId, name } of papers)
      if (name === 'constancia' && documentId && prints.get(documentId)?.bound)
        await noteRead(db, actor, {
          customerId: seen.row.customerId,
          what: 'constancia',
          subjectId: documentId,
        })
}

/** Of an uploaded paper: what the list says of it, what of it is bound in, and whether it is to be printed by itself. */
type Print = {
  words: string
  bound: { bytes: Uint8Array } | { copied: CopiedPages } | null
  isApart?: true
}

const apart = (why: string): Print => ({ words: `${why}: imprímelo aparte`, bound: null, isApart: true })

/** A row whose bytes are gone is somebody's to look into. */
function lost(id: string): Print {
  log.error({ document: id }, 'a stored document is missing')
  return { words: 'No encontramos el archivo: pide que lo suban otra vez', bound: null }
}

const whyApart: Record<Uncopied, string> = {
  locked: 'Está protegido',
  long: `Tiene más de ${most.sheetsOfOne} hojas`,
  broken: 'No se pudo abrir',
}

/** The uploaded papers that an actor may read, by the id of their document. What does not fit, or does not open, is printed by itself. */
async function printsOf(
  { db, drive }: Pick<From, 'db' | 'drive'>,
  actor: Actor,
  cases: readonly { papers: readonly { documentId: string | null }[] }[],
): Promise<ReadonlyMap<string, Print>> {
  const ids = cases.flatMap(({ papers }) => papers.flatMap(({ documentId }) => documentId ?? []))
  const found = await documentsSeen(db, actor, ids)
  const prints = new Map<string, Print>()
  let sheets = 0
  let size = 0
  let workedMs = 0
  for (const { bytes, id } of found.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))) {
    const fits = sheets < most.sheets && size + bytes <= most.bytes && workedMs < most.timeMs
    if (!fits) {
      prints.set(id, apart('No cupo'))
      continue
    }
    const file = await drive.get(paperKey({ id }))
    const { print, ms } = file ? await printOf(file, most.sheets - sheets) : { print: lost(id), ms: 0 }
    workedMs += ms
    if (print.bound) {
      sheets += 'copied' in print.bound ? print.bound.copied.pages.length : 1
      size += bytes
    }
    prints.set(id, print)
  }
  return prints
}

async function printOf(bytes: Uint8Array, left: number): Promise<{ print: Print; ms: number }> {
  const words = 'Va en este archivo'
  if (documentKindOf(bytes) === 'picture') return { print: { words, bound: { bytes } }, ms: 0 }
  const { copied, workedMs: ms } = await copyInThread(bytes, most.sheetsOfOne)
  if (typeof copied === 'string') return { print: apart(whyApart[copied]), ms }
  return { print: copied.pages.length > left ? apart('No cupo') : { words, bound: { copied } }, ms }
}

/** The letter by which the holder authorizes a representative before CFE, with two witnesses. */
export function writePower(seen: SeenCase, brand: string, now: Date): LetterPaper {
  const { gester, row } = seen
  const holder = holderOf(seen)
  const proxy = row.holderName ? customerOf(seen) : (gester ?? blank)
  const also = row.holderName && gester ? ` y a ${gester}, juntos o por separado,` : ''
  return {
    ...head(seen, brand, now),
    title: 'Carta poder',
    paragraphs: [
      `Yo, ${holder}, otorgo a ${proxy}${also} poder amplio, cumplido y bastante para que, en mi nombre y representación, haga ante la Comisión Federal de Electricidad el trámite de ${caseKindLabels[row.kind].toLowerCase()} del servicio ${row.serviceNumber ?? blank}, en el domicilio ubicado en ${placeOf(seen)}.`,
      'Puede entregar y recibir documentos, atender lo que CFE observe y dar seguimiento al trámite hasta que concluya. No puede recibir dinero en mi nombre.',
    ],
    facts: [],
    enclosed: [
      'Copia de la identificación oficial, por ambos lados, de quien otorga el poder, de quien lo acepta y de los dos testigos',
    ],
    signatures: [
      { name: holder, as: 'Otorgo el poder' },
      { name: proxy === blank ? null : proxy, as: 'Acepto el poder' },
      { name: null, as: 'Primer testigo' },
      { name: null, as: 'Segundo testigo' },
    ],
  }
}
