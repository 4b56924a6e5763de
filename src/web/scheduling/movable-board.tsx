import { useState } from 'react'
import { useLocation, useSubmit } from 'react-router'
import type { BoardDay, BoardFilter } from '../../domain/scheduling/board.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { randomId } from '../ui/random-id.ts'
import { useToast } from '../ui/toaster.tsx'
import { DayBoard } from './day-board.tsx'
import { MoveDialog, type Wanted } from './move-dialog.tsx'
import { MoveHint } from './move-hint.tsx'
import { verdictTitle, verdictWords } from './move-words.ts'
import { useMoving } from './use-moving.ts'

type MovableBoardProps = { board: BoardDay; filter: BoardFilter; result: Failure | undefined; action: string }

/**
 * The board with what moves a block: dropped on somebody else who can take it, it goes there at once; another time, or what
 * needs a reason, is asked first; what nobody may do is said and left.
 */
export function MovableBoard({ board, filter, result, action }: MovableBoardProps) {
  const { key } = useLocation()
  // What was opened is closed by being sent: the page then stands at another place of the history.
  const [opened, setOpened] = useState<{ at: string; wanted: Wanted } | null>(null)
  const [closed, setClosed] = useState<Failure | undefined>()
  const submit = useSubmit()
  const toast = useToast()
  const open = (wanted: Wanted) => setOpened({ at: key, wanted })
  const moving = useMoving(board, {
    onOpen: (visit) => open({ visit, personId: visit.personId, start: visit.start }),
    onDrop({ visit, over }) {
      const { barred, personId, reasons, start } = over
      if (personId === visit.personId && start === visit.start) return
      if (barred)
        toast({
          variant: 'destructive',
          title: verdictTitle(over),
          description: `${verdictWords(over).join('; ')}.`,
        })
      else if (reasons.length > 0 || start !== visit.start) open({ visit, personId, start })
      else
        submit(
          {
            appointmentId: visit.id,
            version: String(visit.version),
            assigneeId: personId,
            startsAt: String(start),
            formKey: randomId(),
          },
          { method: 'post', action, preventScrollReset: true },
        )
    },
  })
  const mine = opened?.at === key ? opened.wanted : null
  const answered = result && result !== closed ? wantedBy(result, board) : null
  const wanted = mine ?? answered
  const close = () => {
    setOpened(null)
    setClosed(result)
  }
  return (
    <>
      {result?.refusal && !wanted && (
        <Alert tone="bad" title={result.refusal.title}>
          {result.refusal.description}
        </Alert>
      )}
      <DayBoard board={board} filter={filter} moving={moving} />
      {moving.over && <MoveHint board={board} over={moving.over} />}
      {wanted && (
        <MoveDialog
          key={wanted.visit.id}
          {...{ board, wanted, action }}
          result={wanted === answered ? result : undefined}
          onClose={close}
        />
      )}
    </>
  )
}

/** The move that was not accepted, for the dialog to open with it again; null when it is no longer on this day. */
function wantedBy({ values }: Failure, { visits }: BoardDay): Wanted | null {
  const visit = visits.find(({ id }) => id === values.appointmentId)
  if (!visit) return null
  return { visit, personId: values.assigneeId ?? null, start: Number(values.startsAt) || visit.start }
}
