import { CircleCheck, CircleDashed } from 'lucide-react'
import { Link } from 'react-router'
import { missingInSection, sectionsOf } from '../../domain/reports/progress.ts'
import type { SheetKind } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { Details } from '../ui/details.tsx'
import { sectionPath } from './sheet-path.ts'
import { takenIn } from './taken.ts'

type SectionListProps = { kind: SheetKind; draft: Draft; current: string }

/** All the steps of a sheet, each with what it still misses. */
export function SectionList({ kind, draft, current }: SectionListProps) {
  const taken = takenIn(draft)
  return (
    <Details summary="Todas las secciones">
      <nav aria-label="Secciones">
        <ol className="-m-2 grid">
          {sectionsOf[kind].map((section, nth) => (
            <li key={section.id}>
              <SectionLink
                id={section.id}
                title={`${nth + 1}. ${section.title}`}
                missing={missingInSection(kind, section, draft.answers, taken).length}
                isCurrent={section.id === current}
              />
            </li>
          ))}
        </ol>
      </nav>
    </Details>
  )
}

type SectionLinkProps = { id: string; title: string; missing: number; isCurrent: boolean }

function SectionLink({ id, title, missing, isCurrent }: SectionLinkProps) {
  const Icon = missing === 0 ? CircleCheck : CircleDashed
  return (
    <Link
      to={sectionPath(id)}
      aria-current={isCurrent ? 'step' : undefined}
      className="flex min-h-12 items-center gap-3 rounded-control px-2 hover:bg-hover aria-[current]:bg-hover aria-[current]:font-semibold"
    >
      <Icon aria-hidden className={`size-5 shrink-0 ${missing === 0 ? 'text-brand' : 'text-mute'}`} />
      <span className="min-w-0 flex-1">{title}</span>
      <span className="text-sm font-normal text-mute">
        {missing === 0 ? 'Completa' : missingWords(missing)}
      </span>
    </Link>
  )
}

/** "Falta 1", "Faltan 3" */
export const missingWords = (count: number) => (count === 1 ? 'Falta 1' : `Faltan ${count}`)
