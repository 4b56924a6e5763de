import { OwnPassword } from '../accounts/password-card.tsx'
import type { Failure } from '../lib/submit.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { CataloguePage } from './catalogue.tsx'
import { HolidaysPage } from './holidays.tsx'
import { HoursFields } from './hours-fields.tsx'
import { settingsPages, settingsPath } from './pages.ts'
import { SectionForm } from './section-form.tsx'
import { SectionFields } from './section-form-fields.tsx'
import { SettingsHistory } from './settings-history.tsx'
import { SettingsIndex } from './settings-index.tsx'
import type { SettingsData } from './settings-loader.ts'
import { TravelPage } from './travel.tsx'

export type SettingsPartProps = { data: SettingsData; result: Failure | undefined }

/** "Configuración del servicio": the list of its pages, or one of them. */
export function Settings({ data, result }: SettingsPartProps) {
  if (!data.page) return <SettingsIndex data={data} result={result} />
  const { title, about } = settingsPages[data.page]
  return (
    <>
      <PageHeader
        title={title}
        subtitle={about}
        back={{ to: settingsPath(), label: 'Configuración del servicio' }}
      />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">
          <PageBody data={data} result={result} />
        </div>
        <SettingsHistory events={data.events} />
      </div>
    </>
  )
}

function PageBody({ data, result }: SettingsPartProps) {
  const { page, settings, version } = data
  if (page === null) return null
  if (page === 'holidays') return <HolidaysPage data={data} result={result} />
  if (page === 'catalogue') return <CataloguePage data={data} result={result} />
  if (page === 'travel') return <TravelPage data={data} result={result} />
  return (
    <SectionForm key={page} intent={page} version={version} result={result}>
      {page === 'hours' ? (
        <HoursFields hours={settings.hours} />
      ) : (
        <SectionFields section={page} settings={settings} />
      )}
      {page === 'spei' && <OwnPassword />}
    </SectionForm>
  )
}
