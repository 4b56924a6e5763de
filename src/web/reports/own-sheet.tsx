import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { MoveName } from '../../domain/appointments/transitions.ts'
import {
  type Section,
  type Sheet,
  type SheetKind,
  type SheetView,
  sheetLabels,
} from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { movesAfter, useDraft } from '../offline/use-draft.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { sectionParam } from './section-change.ts'
import { waitingWords } from './sheet-card.tsx'
import { SheetForm } from './sheet-form.tsx'
import { sectionOf } from './sheet-path.ts'

const pending = '/admin/appointments-pending'

type SheetLeftProps = { sheet: Sheet; draft: Pick<Draft, 'waiting'> }

/** A sheet that was sent here and has not arrived yet: no action is left. */
const SheetLeft = ({ sheet: { folio, kind }, draft: { waiting } }: SheetLeftProps) => (
  <>
    <PageHeader title={folio} subtitle={sheetLabels[kind]} back={{ to: pending, label: 'Próximas citas' }} />
    <Alert
      tone="ok"
      title="Listo, ya terminaste"
      actions={
        <LinkButton variant="ghost" to={pending}>
          Ver mis citas
        </LinkButton>
      }
    >
      {/* Announced when it changes: it is sent by itself. */}
      <p role="status">
        {waiting === 0
          ? 'Ya le llegó a la oficina.'
          : `${waitingWords(waiting)}. Se manda en cuanto haya conexión y Carga en Casa esté abierta, en cualquier pantalla. En «Por enviar» ves cuándo llegó.`}
      </p>
    </Alert>
  </>
)

/**
 * The section that the address names. The phone keeps a page once for all its sections: the markup shows what its
 * loader received, and only then the address counts.
 */
function useShownSection(kind: SheetKind, loaded: string | null): Section | null {
  const [params] = useSearchParams()
  return sectionOf(kind, useHydrated() ? params.get(sectionParam) : loaded)
}

/**
 * What is still to be given again of what a returned sheet asked for: an answer counts as given when it is entered
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
const HeldUp = lazy(() => import('./held-up.tsx').catch(() => ({ default: () => null })))

type OwnSheetProps = {
  sheet: Sheet
  /** The screen of the appointment. */
  here: string
  /** The section that its loader was called with. */
  section: string | null
  /** Who fills the sheet in. */
  author: string
  /** What can be done with the appointment now. */
  moves: readonly MoveName[]
  /** The screen itself, around its sheet. */
  children: (own: { sheet: Sheet; draft: Draft }) => ReactNode
}

/** The screen of an appointment for its sheet's author: the section that the address names, or the screen itself. */
export function OwnSheet({ sheet: loaded, here, section, author, moves, children }: OwnSheetProps) {
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
          sheet={sheet}
          draft={draft}
          here={here}
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

/** Why a sheet can't be sent yet, whatever its answers: sending it ends the appointment, which must have begun. */
const waitOf = ({ state }: Sheet, moves: readonly MoveName[]) =>
  state === 'returned' || moves.includes('finish') ? null : 'Para enviarlo, primero inicia la cita.'

const ClaimNotice = lazy(() => import('./claim-notice.tsx').catch(() => ({ default: () => null })))

/** The notice about what was submitted of an appointment taken away; it is rare, so it is loaded later. */
export const Claimed = ({ claim }: Pick<SheetView, 'claim'>) =>
  claim && (
    <Suspense>
      <ClaimNotice claim={claim} />
    </Suspense>
  )
