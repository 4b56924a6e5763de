import { lazy, type ReactNode, Suspense } from 'react'
import type { MoveName } from '../../domain/appointments/transitions.ts'
import type { Sheet } from '../../domain/reports/report.ts'
import type { Failure } from '../lib/submit.ts'
import type { Draft } from '../offline/draft.ts'
import { movesAfter } from '../offline/moves-after.ts'
import { useDraft } from '../offline/use-draft.ts'
import { SheetForm } from './sheet-form.tsx'
import { SheetLeft } from './sheet-left.tsx'
import { useShownSection } from './shown-section.ts'
import { useRedo } from './use-redo.ts'

/** Where it can't be had, the cloud above says the same. */
const HeldUp = lazy(() => import('./held-up.tsx').catch(() => ({ default: () => null })))

type OwnSheetProps = {
  sheet: Sheet
  /** The screen of the appointment. */
  here: string
  /** The section that its loader was asked for. */
  section: string | null
  /** Who fills the sheet in. */
  author: string
  /** What can be done with the appointment now. */
  moves: readonly MoveName[]
  result: Failure | undefined
  /** The screen itself, around its sheet. */
  children: (own: { sheet: Sheet; draft: Draft }) => ReactNode
}

/** The screen of an appointment for whoever writes its sheet: the sheet's section that the address names, or the screen itself. */
export function OwnSheet({ sheet: loaded, here, section, author, moves, result, children }: OwnSheetProps) {
  const { sheet, draft } = useRedo(loaded, useDraft(loaded))
  const shown = useShownSection(sheet.kind, section)
  const { delivery } = draft
  if (delivery && delivery.state !== 'held') return <SheetLeft sheet={sheet} draft={draft} />
  return (
    <>
      {(delivery || draft.refusedMoves.length > 0) && (
        <Suspense>
          <HeldUp draft={draft} />
        </Suspense>
      )}
      {shown ? (
        <SheetForm
          {...{ sheet, draft, here, author, result }}
          section={shown}
          wait={waitOf(sheet, movesAfter(moves, draft.moves))}
        />
      ) : (
        children({ sheet, draft })
      )}
    </>
  )
}

/** Why a sheet can't be sent yet, whatever its answers: sending it ends the appointment, which has to have begun. */
const waitOf = ({ state }: Sheet, moves: readonly MoveName[]) =>
  state === 'returned' || moves.includes('finish') ? null : 'Para enviarlo, primero inicia la cita.'
