import { isSignature, slotFacts } from '../reports/rules/photos.ts'
import { sectionsOf } from '../reports/rules/progress.ts'
import type { Section, Sheet } from '../reports/rules/report.ts'
import type { WalkStop } from './photo-tray.tsx'
import { PhotoWalk } from './photo-walk.tsx'
import type { PhotoWalkProps } from './use-walk.ts'

type SheetWalkProps = Pick<PhotoWalkProps, 'draft' | 'onClose' | 'focusAfter'> & {
  sheet: Sheet
  /** The photos of the section that it is opened from: it begins with the first empty one. */
  here: readonly string[]
  /** What the screen knows of its slots; passed on, since code shared with a screen is a file more of its first load. */
  known: {
    taken: ReadonlySet<string>
    shown: (section: Section) => readonly string[]
    fileIn: (slot: string) => WalkStop['file'] | undefined
  }
}

/** The camera for all the photos of a sheet. */
export function SheetWalk({ sheet, here, known, ...rest }: SheetWalkProps) {
  const stops = stopsOf(sheet, known)
  const mine = stops.filter(({ slot }) => here.includes(slot))
  const first = mine.find(({ isDone }) => !isDone) ?? mine[0]
  return first && <PhotoWalk {...rest} kind={sheet.kind} owner={sheet} stops={stops} first={first.slot} />
}

/** Every photo that a sheet asks for, with what there is of it. */
function stopsOf({ kind, redo }: Sheet, { fileIn, shown, taken }: SheetWalkProps['known']): WalkStop[] {
  return sectionsOf[kind].flatMap((section) =>
    shown(section)
      .filter((slot) => !isSignature(slot))
      .map((slot) => ({
        slot,
        ...(slotFacts(kind, slot) ?? { label: slot, legible: '' }),
        file: fileIn(slot) ?? null,
        isDone: taken.has(slot) && !redo.includes(slot),
        optional: section.extra?.includes(slot) ?? false,
      })),
  )
}
