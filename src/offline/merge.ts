import { isEnd, isStep } from '../appointments/rules/field-steps.ts'
import type { Step } from '../appointments/rules/transitions.ts'
import { isSame } from '../reports/rules/answers.ts'
import { isSignature } from '../reports/rules/photos.ts'
import { missingAs } from '../reports/rules/progress.ts'
import type { Answers, Sheet, SheetFile } from '../reports/rules/report.ts'
import type { Conflict, Draft, DraftFile, Seen } from './draft.ts'
import type { AnswerRow, FileRow, MoveRow, StoredRows } from './outbox/rows.ts'
import { isAnswerShown, isFileShown, isUnsent, rowsOfAppointment } from './outbox/send-order.ts'

/** What is being sent right now, and how much of it was sent, from 0 to 100. */
export type Sending = { id: string; progress: number } | null
/** By what address each picture of the phone is shown. */
type Pictures = ReadonlyMap<string, string>

/** A sheet as its author sees it: what the server has, under what was written on this phone since. */
export function merge(sheet: Sheet, all: StoredRows, sending: Sending, pictures: Pictures): Seen {
  const rows = rowsOfAppointment(all, sheet.appointmentId)
  const answers = rows.answers.filter((row) => !isAnswerShown(sheet, row))
  const files = filesOf(sheet, rows.files, sending, pictures)
  const fallen = fallenIn(sheet, files, answers)
  return {
    fallen,
    answers: { ...stored(sheet), ...Object.fromEntries(answers.map(({ name, value }) => [name, value])) },
    files: files.filter(({ slot }) => !fallen.includes(slot)),
    raw: rows.files.flatMap(({ id, look, sha256, slot }) =>
      look ? [{ id, slot, sha256, url: pictures.get(id) ?? '', verdict: look === 'due' ? null : look }] : [],
    ),
    typed: Object.fromEntries(rows.typed.map(({ name, typed }) => [name, typed])),
    conflicts: answers.flatMap(conflictOf),
    refused: Object.fromEntries(
      answers.flatMap(({ name, problem }) => (problem ? [[name, problem.description]] : [])),
    ),
    // Counted as the outbox does: the answers of an appointment are one item.
    waiting: [...rows.files, ...rows.moves].filter(isUnsent).length + (rows.answers.some(isUnsent) ? 1 : 0),
    moves: believed(rows.moves.filter((row): row is MoveRow & { move: Step } => isStep(row.move))),
    ended: rows.moves.findLast(({ form, move, state }) => form && isEnd(move) && state !== 'refused') ?? null,
    refusedMoves: rows.moves.flatMap((row) => (row.problem ? [{ ...row, ...row.problem }] : [])),
    delivery: deliveryOf(sheet, rows),
  }
}

/**
 * Signatures that are no longer valid: as the server says, until they are given again, and those given before an
 * answer changed here.
 */
function fallenIn(sheet: Sheet, files: readonly DraftFile[], answers: readonly AnswerRow[]): string[] {
  const changedHere = answers.filter(({ name, value }) => !isSame(value, sheet.answers[name]?.value ?? null))
  const here = files
    .filter(({ slot }) => isSignature(slot))
    .filter(({ capturedAt }) => changedHere.some(({ at }) => Date.parse(at) > capturedAt.getTime()))
    .map(({ slot }) => slot)
  // A page kept by an earlier version does not have them.
  const there = (sheet.fallen ?? []).filter((slot) => !files.some((file) => file.slot === slot))
  return [...new Set([...here, ...there])]
}

/** Steps count until one was refused: those after it depended on it. */
function believed<Row extends MoveRow>(moves: readonly Row[]): readonly Row[] {
  const refused = moves.findIndex(({ state }) => state === 'refused')
  return refused < 0 ? moves : moves.slice(0, refused)
}

/** What its author has to decide first holds the submission; a refused one does not count. */
function deliveryOf({ kind }: Sheet, { answers, files, moves }: StoredRows): Draft['delivery'] {
  const submit = moves.findLast(({ move }) => move === 'submit')
  if (!submit || submit.state === 'refused') return null
  const answered = answers.flatMap(({ conflict, name, problem }) => {
    if (problem) return [missingAs(kind, name, problem.description)]
    return conflict ? [missingAs(kind, name, 'Alguien más lo cambió: elige con cuál te quedas.')] : []
  })
  const pictured = files.flatMap(({ look, problem, slot }) => {
    if (problem) return [missingAs(kind, slot, problem.description)]
    return look && look !== 'due' ? [missingAs(kind, slot, 'Decide si usas la última foto.')] : []
  })
  const heldBy = [...answered, ...pictured]
  if (submit.state === 'sent') return { state: 'sent', heldBy: [] }
  return { state: heldBy.length > 0 ? 'held' : 'waiting', heldBy }
}

const stored = ({ answers }: Sheet): Answers =>
  Object.fromEntries(Object.entries(answers).map(([name, { value }]) => [name, value]))

const conflictOf = ({ conflict, name, value }: AnswerRow): Conflict[] =>
  conflict
    ? [
        {
          name,
          mine: value,
          theirs: conflict.value,
          revision: conflict.revision,
          by: conflict.by,
          own: conflict.own ?? false,
          at: new Date(conflict.at),
        },
      ]
    : []

/** One picture for each slot: the one taken last, here or elsewhere. */
function filesOf(sheet: Sheet, rows: readonly FileRow[], sending: Sending, pictures: Pictures): DraftFile[] {
  const dropped = new Set(rows.flatMap(({ id, isDrop }) => (isDrop ? [id] : [])))
  const slots = new Map<string, DraftFile>()
  const own = rows
    .filter((row) => !row.isDrop && !row.look && !isFileShown(sheet, row))
    .map((row) => ofPhone(row, sending, pictures))
  const theirs = sheet.files.filter(({ id }) => !dropped.has(id)).map(ofServer)
  for (const file of [...theirs, ...own]) {
    const there = slots.get(file.slot)
    if (!there || there.capturedAt <= file.capturedAt) slots.set(file.slot, file)
  }
  return [...slots.values()]
}

const ofServer = ({ capturedAt, id, keptBecause, sentSha256, slot }: SheetFile): DraftFile => ({
  id,
  slot,
  sha256: sentSha256,
  capturedAt,
  keptBecause,
  url: `/files/${id}/list`,
  fullUrl: `/files/${id}/full`,
  status: 'stored',
  progress: 100,
  problem: null,
})

function ofPhone(row: FileRow, sending: Sending, pictures: Pictures): DraftFile {
  const { at, id, keptBecause, problem, sha256, slot, state } = row
  const picture = pictures.get(id)
  const isGoing = state === 'waiting' && sending?.id === id
  return {
    id,
    slot,
    sha256,
    keptBecause,
    capturedAt: new Date(at),
    url: picture ?? `/files/${id}/list`,
    fullUrl: picture ?? `/files/${id}/full`,
    status: isGoing ? 'sending' : state === 'sent' ? 'stored' : state,
    progress: isGoing ? sending.progress : state === 'sent' ? 100 : 0,
    problem: problem && `${problem.title}. ${problem.description}`,
  }
}
