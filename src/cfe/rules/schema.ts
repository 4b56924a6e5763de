import { z } from 'zod'
import {
  choice,
  decimal,
  optionalText,
  requiredText,
  seenVersion,
  staleForm,
  ticked,
} from '../../shared/schema.ts'
import { tidy } from '../../shared/text.ts'
import { type CaseMoveName, caseKindLabels, caseMoveLabels, needsReason } from './case.ts'
import { askableLabels, type CasePaperName, casePaperFacts, casePaperNames } from './papers.ts'

const load = 'Escribe los kW, de 0 a 300, con un decimal si acaso.'
const whichPaper = 'Escribe qué documento es.'
const folioShape = /^(COT|VT)-\d{4}-\d{5,}$/

/** A case opened by hand: of which project, by the folio of its quote or of its visit. */
const openCaseInput = z.object({
  folio: z.preprocess(
    (typed) => tidy(typed).toUpperCase(),
    z
      .string()
      .min(1, { error: 'Escribe el folio de la cotización o de la visita.', abort: true })
      .regex(folioShape, 'Un folio se ve así: COT-2026-00012 o VT-2026-00012.'),
  ),
  kind: choice(caseKindLabels, 'Elige qué se pide a CFE.'),
})

/** The form that transfers the open cases of one gester to another. */
const casesHandOverInput = z.object({
  from: z.uuid('Elige de quién son.'),
  to: z.uuid('Elige a quién se los pasas.'),
})

/** The forms of the list, by their intent. */
export const casesInput = { 'cases.open': openCaseInput, 'cases.hand-over': casesHandOverInput }

const paper = choice(
  Object.fromEntries(Object.entries(casePaperFacts).map(([name, { label }]) => [name, label])) as Record<
    CasePaperName,
    string
  >,
  staleForm,
)

const orNull = (sent: unknown) => tidy(sent) || null

const moveInput = z
  .object({
    move: choice(caseMoveLabels, staleForm),
    day: z.preprocess(orNull, z.iso.date('Elige el día.').nullable()),
    asked: z.preprocess(orNull, z.enum([...casePaperNames, 'other'], staleForm).nullable()),
    label: optionalText(80),
    contractNumber: optionalText(40),
    newMeterNumber: optionalText(20),
    version: seenVersion,
    reason: optionalText(500),
    correctedBy: z.preprocess(orNull, z.enum(['customer', 'gester']).nullable()),
    requestNumber: optionalText(40),
    approvedKilowatts: decimal(300, load),
  })
  .superRefine(({ approvedKilowatts, asked, correctedBy, label, move, reason, ...proof }, { addIssue }) => {
    const wrong = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (needsReason(move as CaseMoveName) && !reason) wrong('reason', 'Escribe por qué.')
    if (approvedKilowatts === 0) wrong('approvedKilowatts', load)
    if (move === 'observe' && !correctedBy) wrong('correctedBy', 'Elige quién lo corrige.')
    if (move === 'observe' && !asked) wrong('asked', 'Elige qué documento observó CFE.')
    if (asked === 'other' && !label) wrong('label', whichPaper)
    if (move === 'sign' && !proof.contractNumber) wrong('contractNumber', 'Escribe el número del contrato.')
    if (move === 'installMeter' && !proof.newMeterNumber)
      wrong('newMeterNumber', 'Escribe el número del medidor.')
  })

/** A step of a case, as its form says it. `day`: a local date, today where none is given. */
export type CaseStep = z.output<typeof moveInput>

/** A paper, and the file of it that the reviewer saw. */
const looked = z.object({ paper, seen: z.uuid(staleForm) })

const blankOrDigits = (digits: number, message: string) =>
  z.preprocess(
    (typed) => tidy(typed).replace(/[ -]/g, '') || null,
    z
      .string()
      .regex(new RegExp(`^\\d{${digits}}$`), message)
      .nullable(),
  )

const factsInput = z.object({
  version: seenVersion,
  holderName: optionalText(120),
  serviceNumber: blankOrDigits(12, 'El número de servicio tiene 12 dígitos.'),
  meterNumber: optionalText(20),
  poleMetres: decimal(300, 'Escribe los metros, de 0 a 300, con un decimal si acaso.'),
  chargerKilowatts: decimal(22, 'Escribe los kW, de 0 a 22, con un decimal si acaso.'),
  contractedKilowatts: decimal(300, load),
  requestedKilowatts: decimal(300, load),
  tariff: optionalText(10),
  isThreePhase: ticked,
  needsPermit: ticked,
  needsUvie: ticked,
})
export type CaseFactsInput = Omit<z.output<typeof factsInput>, 'version'>

/** A paper that CFE asks for beside those of the case. */
const askInput = z
  .object({
    asked: choice(askableLabels, 'Elige qué documento es.'),
    label: optionalText(80),
    askedFrom: z.enum(['customer', 'gester'], 'Elige quién lo entrega.'),
  })
  .superRefine(({ asked, label }, { addIssue }) => {
    if (asked === 'other' && !label) addIssue({ code: 'custom', path: ['label'], message: whichPaper })
  })
export type AskedPaperInput = z.output<typeof askInput>

/** The forms of a case, by their intent. */
export const caseInput = {
  'case.move': moveInput,
  'case.validate': looked,
  'case.return': looked.extend({ reason: requiredText('Escribe qué hay que corregir.', 300) }),
  'case.facts': factsInput,
  'case.hand-in': z.object({ paper }),
  'case.ask-paper': askInput,
  'case.note': z.object({ note: requiredText('Escribe la nota.', 1000) }),
  'case.take': z.object({ version: seenVersion }),
  'case.give': z.object({ version: seenVersion, gesterId: z.uuid('Elige a quién se lo pasas.') }),
}

/** A customer uploads a paper of their case; its file is sent with the form. */
export const ownPaperInput = z.object({
  caseId: z.uuid(staleForm),
  paper,
})
