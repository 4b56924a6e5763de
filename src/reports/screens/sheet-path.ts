import { sectionParam } from '../../kit/section-change.ts'
import { sectionsOf } from '../rules/progress.ts'
import type { Section, SheetKind } from '../rules/report.ts'

/** The value of the button that ends a report, where the others name the next section. */
export const sendValue = 'enviar'

/** The address of a section of the report on the screen of its appointment; `field` is what gets the focus there. */
export const reportSectionPath = (section: string, field?: string) =>
  `?${sectionParam}=${section}${field ? `#${field}` : ''}`

/** The section of a kind of report by its id; null where it has none. */
export const sectionOf = (kind: SheetKind, id: string | null): Section | null =>
  sectionsOf[kind].find((section) => section.id === id) ?? null

/** The section that a request asks for. */
export const sectionIn = ({ url }: Request): string | null => new URL(url).searchParams.get(sectionParam)

/** The section that has a slot. */
export const sectionWith = (kind: SheetKind, slot: string): Section | undefined =>
  sectionsOf[kind].find(({ slots, extra = [] }) => slots.includes(slot) || extra.includes(slot))
