import { type ComponentProps, type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { MoveName } from '../../appointments/rules/transitions.ts'
import { later } from '../../kit/later.tsx'
import { sectionParam } from '../../kit/section-change.ts'
import type { Draft } from '../../offline/draft.ts'
import { movesAfter, useDraft } from '../../offline/use-draft.ts'
import { fullName } from '../../shared/format.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import type { Section, Sheet, SheetKind, SheetView } from '../rules/report.ts'
import { waitingWords } from './sheet-card.tsx'
import { SheetForm } from './sheet-form.tsx'
import { sectionOf } from './sheet-path.ts'

/** Rare, and kept with the app: it is loaded once something was ended here. */
const EndedHere = later(() => import('../../offline/ended-here.tsx').then((part) => part.default))

/**
 * The section that the address names. The phone keeps a page once for all its sections: the markup shows what its
 * loader received, and only then the address counts.
 */
function useShownSection(kind: SheetKind, loaded: string | null): Section | null {
  const [params] = useSearchParams()
  return sectionOf(kind, useHydrated() ? params.get(sectionParam) : loaded)
}

/**
 * What is still to be given again of what a returned report asked for: an answer counts as given when it is entered
 * again, even the same one; a picture when there is another.
 */
function useRedo(sheet: Sheet, draft: Draft): { sheet: Sheet; draft: Draft } {
  const [said, setSaid] = useState<ReadonlySet<string>>(new Set())
  const isAnother = (slot: string) =>
    draft.files.some((file) => file.slot === slot && sheet.files.every(({ id }) => id !== file.id))
  const redo = sheet.redo.filter((name) => !said.has(name) && !isAnother(name))
  const write: Draft['write'] = (name, value, typed) => {
    draft.write(name, value, typed)
    if (sheet.redo.includes(name)) setSaid((before) => new Set(before).add(name))
  }
  return { sheet: { ...sheet, redo }, draft: { ...draft, write } }
}

/** Where it can't be loaded, the cloud above says the same. */
const HeldUp = later(() => import('./held-up.tsx').then((part) => part.default))

type OwnSheetProps = {
  sheet: Sheet
  /** The screen of the appointment. */
  here: string
  /** The section that its loader was called with. */
  section: string | null
  /** Who fills the report in. */
  author: string
  /** What can be done with the appointment now. */
  moves: readonly MoveName[]
  appointment: ComponentProps<typeof EndedHere>['appointment']
  /** The screen itself, around its report. */
  children: (own: { sheet: Sheet; draft: Draft }) => ReactNode
}

/** The screen of an appointment for its report's author: the section that the address names, or the screen itself. */
export function OwnSheet({
  sheet: loaded,
  here,
  section,
  author,
  moves,
  appointment,
  children,
}: OwnSheetProps) {
  const customer = fullName(appointment.customer)
  const { sheet, draft } = useRedo(loaded, useDraft(loaded, customer))
  const shown = useShownSection(sheet.kind, section)
  const { delivery } = draft
  if (draft.ended || (delivery && delivery.state !== 'held'))
    return (
      <EndedHere
        appointment={appointment}
        ended={draft.ended}
        waits={draft.waiting === 0 ? null : waitingWords(draft.waiting)}
      />
    )
  return (
    <>
      {(delivery || draft.refusedMoves.length > 0) && <HeldUp draft={draft} />}
      {shown ? (
        <SheetForm
          sheet={sheet}
          draft={draft}
          here={here}
          customer={customer}
          author={author}
          section={shown}
          wait={waitOf(sheet, movesAfter(moves, draft.moves))}
        />
      ) : (
        children({ sheet, draft })
      )}
    </>
  )
}

/** Why a report can't be sent yet, whatever its answers: sending it ends the appointment, which must have begun. */
const waitOf = ({ state }: Sheet, moves: readonly MoveName[]) =>
  state === 'returned' || moves.includes('finish') ? null : 'Para enviarlo, primero inicia la cita.'

const ClaimNotice = later(() => import('./claim-notice.tsx').then((part) => part.default))

/** The notice about what was submitted of an appointment taken away; it is rare, so it is loaded later. */
export const Claimed = ({ claim }: Pick<SheetView, 'claim'>) => claim && <ClaimNotice claim={claim} />
