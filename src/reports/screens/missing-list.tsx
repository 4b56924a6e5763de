import { ChevronRight } from 'lucide-react'
import { Link } from '../../ui/link.tsx'
import type { Missing } from '../rules/report.ts'
import { reportSectionPath } from './sheet-path.ts'

/** What keeps a report from being sent: each a link to its question. */
export const MissingList = ({ missing }: { missing: readonly Missing[] }) => (
  <ul className="-mx-2 grid">
    {missing.map(({ section, name, label, message }) => (
      <li key={`${section}/${name}`}>
        <Link
          to={reportSectionPath(section, name)}
          className="flex min-h-12 items-center gap-3 rounded-control px-2 py-1.5 hover:bg-hover"
        >
          <span className="grid min-w-0 flex-1">
            {label}
            <span className="text-sm text-mute">{message}</span>
          </span>
          <ChevronRight aria-hidden className="size-5 shrink-0 text-mute" />
        </Link>
      </li>
    ))}
  </ul>
)
