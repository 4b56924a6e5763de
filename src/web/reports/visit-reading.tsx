import type { SheetView } from '../../domain/reports/report.ts'
import { PhotoGrid } from '../photos/photo-grid.tsx'
import { Details } from '../ui/details.tsx'
import { AnswerSections } from './answer-sections.tsx'

/** The approved report of the visit before an installation, for whoever installs and for the office. */
export const VisitReading = ({ visit }: { visit: NonNullable<SheetView['visit']> }) => (
  <Details
    summary={
      <span>
        Reporte de la visita <span className="whitespace-nowrap">{visit.folio}</span>
      </span>
    }
  >
    <PhotoGrid kind="visit" files={visit.files} reader="office" />
    <AnswerSections kind="visit" answers={visit.answers} />
  </Details>
)
