import { FileText } from 'lucide-react'
import { CodeCard } from '../agencies/code-card.tsx'
import { afterRefusal } from '../lib/after-refusal.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { useRefreshIn } from '../lib/refresh-in.ts'
import { forms } from '../lib/submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/quote.ts'
import { EarlierVersions } from './earlier-versions.tsx'
import { ExtraWork } from './extra-work.tsx'
import { ownQuoteForms } from './forms.ts'
import { useNoteViewed } from './note-viewed.ts'
import { loadOwnQuotes } from './own-loader.ts'
import { OwnQuoteView } from './own-quote.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

export const loader = ({ context, request }: Route.LoaderArgs) => loadOwnQuotes(context, request)

export const action = forms(({ context, request }: Route.ActionArgs) => ownQuoteForms(context, request))

export default function Quote({ loaderData: page }: Route.ComponentProps) {
  const { extraWork, installation, line, next } = page
  useNoteViewed(page.unseen)
  useRefreshIn(page.changesIn)
  useStepFocus(installation?.current.state)
  const isEmpty = !installation && extraWork.length === 0
  return (
    <>
      <PageHeader
        title="Cotización"
        subtitle={
          installation
            ? `${installation.current.folio}, versión ${installation.current.revision}`
            : 'Lo que cuesta tu instalación, con todo lo que incluye.'
        }
      />
      <div className="grid gap-4">
        <OrphanedFormError />
        <CodeCard own={page.code} touch={page.touch} />
        <ExtraWork quotes={extraWork} page={page} />
        {installation && <OwnQuoteView story={installation} page={page} />}
        {installation && <EarlierVersions versions={installation.earlier} />}
        {isEmpty && <EmptyState icon={FileText}>{line}</EmptyState>}
      </div>
      {isEmpty && next && (
        <ActionBar>
          <LinkButton to={next.to}>{next.label}</LinkButton>
        </ActionBar>
      )}
    </>
  )
}
