import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { type SettingsPage, settingsGroups, settingsPages, settingsPath } from './pages.ts'
import type { SettingsPartProps } from './settings.tsx'
import { SettingsHistory } from './settings-history.tsx'
import type { SettingsData } from './settings-loader.ts'
import { StoppedJobs } from './stopped-jobs.tsx'
import { summaries } from './words.ts'

/** Everything that can be configured, each in one line as it stands. */
export function SettingsIndex({ data, result }: SettingsPartProps) {
  return (
    <>
      <PageHeader
        title="Configuración del servicio"
        subtitle="Los números con los que trabaja todo el equipo."
        back={{ to: '/admin/account', label: 'Mi cuenta' }}
      />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">
          <StoppedJobs queues={data.stopped} result={result} />
          {settingsGroups.map(({ title, pages }) => (
            <Card key={title} title={title} className="gap-1">
              <ul className="-mx-2 grid">
                {pages.map((page) => (
                  <Line key={page} page={page} data={data} />
                ))}
              </ul>
            </Card>
          ))}
        </div>
        <SettingsHistory events={data.events} />
      </div>
    </>
  )
}

function Line({ page, data: { settings, travelEdited } }: { page: SettingsPage; data: SettingsData }) {
  return (
    <li>
      <Link
        to={settingsPath(page)}
        prefetch="intent"
        className="flex min-h-14 items-center gap-3 rounded-control p-2 hover:bg-hover"
      >
        <span className="grid min-w-0 flex-1">
          <span className="font-medium">{settingsPages[page].title}</span>
          <span className="text-[0.9375rem] text-mute wrap-anywhere">
            {summaries[page](settings, travelEdited)}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-mute" />
      </Link>
    </li>
  )
}
