import { useEffect, useState, useSyncExternalStore } from 'react'
import type { OfflineStore } from '../../../offline/outbox/offline-store.ts'
import { createPhoneState } from '../../../offline/outbox/phone-state.ts'
import type { MoveRow } from '../../../offline/outbox/rows.ts'
import type { AppointmentState } from '../../rules/appointment.ts'
import { type End, isAside, isEnd, isStep, stateAfter } from '../../rules/field-steps.ts'
import type { Step } from '../../rules/transitions.ts'

type StepMove = MoveRow & { move: Step }

/** By appointment, the steps that this phone made of it, whether one of them waits to be sent, and how it ended it. */
export type PhoneSteps = Record<
  string,
  { moves: readonly StepMove[]; isWaiting: boolean; end?: End | undefined }
>

/** What this person's phone holds of their steps. */
export const useStepsOnPhone = (personId: string | null): PhoneSteps => stepsIn(useMovesOnPhone(personId))

/** All that this person's phone holds but answers and photos; the code that keeps it is loaded after the screen. */
export function useMovesOnPhone(personId: string | null): readonly MoveRow[] {
  const [phone, setPhone] = useState<Pick<OfflineStore, 'state'> | null>(null)
  useEffect(() => {
    if (personId === null) return
    let isLeft = false
    import('../../../offline/outbox/offline-store.ts')
      .then(({ offlineStoreOf }) => offlineStoreOf(personId))
      .then(
        (opened) => isLeft || setPhone(opened),
        () => isLeft || setPhone({ state: createPhoneState() }),
      )
    return () => {
      isLeft = true
    }
  }, [personId])
  return useSyncExternalStore(
    phone?.state.subscribe ?? never,
    () => phone?.state.get().rows.moves ?? unreadMoves,
    () => unreadMoves,
  )
}

/** What the phone's rows of steps say, by appointment. */
export const stepsIn = (moves: readonly MoveRow[]): PhoneSteps =>
  Object.fromEntries(
    [...Map.groupBy(moves, ({ appointmentId }) => appointmentId)].map(([id, own]) => [id, believed(own)]),
  )

/** What this phone said last of how late its person is, in minutes, and whether that waits to be sent. */
export function lateIn(moves: readonly MoveRow[], appointmentId: string) {
  const said = moves.filter(
    (row) => row.appointmentId === appointmentId && row.move === 'runLate' && row.state !== 'refused',
  )
  const last = said.toSorted((one, other) => one.nth - other.nth).at(-1)
  return last && { minutes: Number(last.form?.minutes), isWaiting: last.state === 'waiting' }
}

const never = () => () => {}
/** Before the phone's store has answered. */
export const unreadMoves: readonly MoveRow[] = []

/** A step that was refused, and those after it, did not happen. */
function believed(own: readonly MoveRow[]): PhoneSteps[string] {
  const inOrder = own.filter(({ move }) => !isAside(move)).toSorted((one, other) => one.nth - other.nth)
  const refused = inOrder.findIndex(({ state }) => state === 'refused')
  const held = refused < 0 ? inOrder : inOrder.slice(0, refused)
  const moves = held.filter((row): row is StepMove => isStep(row.move))
  return {
    moves,
    isWaiting: held.some(({ state }) => state === 'waiting'),
    end: held.map(({ move }) => move).find(isEnd),
  }
}

/** Appointments as this phone left them, whatever the server knows: in their state, and whether that waits to be sent. */
export const asOnPhone = <Row extends { id: string; state: AppointmentState }>(
  rows: readonly Row[],
  phone: PhoneSteps,
) =>
  rows.map((row): Row & { isUnsent?: boolean } => {
    const own = phone[row.id]
    const last = own?.end ?? own?.moves.at(-1)?.move
    return own && last ? { ...row, state: stateAfter[last], isUnsent: own.isWaiting } : row
  })
