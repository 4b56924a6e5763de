import { useSearchParams } from 'react-router'
import type { Section, SheetKind } from '../../domain/reports/report.ts'
import { useHydrated } from '../ui/hydrated.ts'
import { sectionParam } from './section-param.ts'
import { sectionOf } from './sheet-path.ts'

/**
 * The section that the address names. A page that the phone kept is kept once for all its sections: what its loader heard
 * is what the markup shows, and only then the address counts.
 */
export function useShownSection(kind: SheetKind, loaded: string | null): Section | null {
  const [params] = useSearchParams()
  return sectionOf(kind, useHydrated() ? params.get(sectionParam) : loaded)
}
