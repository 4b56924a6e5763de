import { useLocation } from 'react-router'
import { isOpenQuote } from '../../domain/quotes/quote.ts'
import type { Builder, Building } from '../../server/quotes/builder.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { BuildAnswer } from './build-action.ts'
import { BuildActions } from './build-actions.tsx'
import { BuildOptions } from './build-options.tsx'
import { BuildPreview } from './build-preview.tsx'
import { BuildReport } from './build-report.tsx'
import { BuildTerms } from './build-terms.tsx'
import { DiscardDraft } from './discard-draft.tsx'
import { firstState, type Wrong, wrongIn } from './typed-answer.ts'
import { useBuild } from './use-build.ts'

type EditorProps = {
  builder: Builder
  building: Building
  title: string
  back: { to: string; label: string }
  result: BuildAnswer | undefined
}

/** The builder of a quote: its options side by side, their terms, and what can be done with all of it. */
export function BuildEditor({ builder, building, title, back, result }: EditorProps) {
  const { key } = useLocation()
  const { draft } = building
  const isDiscard = result?.values.intent === 'discard-quote'
  return (
    <>
      <PageHeader
        title={title}
        subtitle={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {draft ? `${draft.folio}, versión ${draft.revision}` : 'Sin guardar todavía'}
            <Badge tone="neutral">Borrador</Badge>
          </span>
        }
        back={back}
      />
      <Warnings building={building} isFresh={result === undefined} />
      {builder.kind === 'installation' && <BuildReport answers={builder.answers} />}
      {/* Each answer of the server begins it anew; what others change meanwhile does not. */}
      <EditorForm key={key} {...{ builder, building }} result={isDiscard ? undefined : result} />
      {draft && <DiscardDraft version={draft.version} result={isDiscard ? result : undefined} />}
    </>
  )
}

type WarningsProps = { building: Building; isFresh: boolean }

function Warnings({ building: { before, isProposed, missing }, isFresh }: WarningsProps) {
  return (
    <>
      {before && isOpenQuote(before.state) && (
        <Alert
          tone="wait"
          title={`El cliente todavía puede aceptar la versión ${before.revision}`}
          actions={<BeforeLink before={before} />}
        >
          Puedes preparar esta. Para enviarla, retira antes la otra desde su detalle.
        </Alert>
      )}
      {before?.state === 'accepted' && (
        <Alert
          tone="info"
          title={`El cliente ya aceptó la versión ${before.revision}`}
          actions={<BeforeLink before={before} />}
        >
          Sigue en pie hasta que acepte esta.
        </Alert>
      )}
      {missing.length > 0 && (
        <Alert tone="wait" title="Hay partidas que el catálogo no tiene en uso">
          El reporte las pide y no las propusimos: {missing.join(', ')}.
        </Alert>
      )}
      {isProposed && isFresh && (
        <Alert tone="info" title="Propusimos estas partidas con el reporte de la visita">
          Revísalas. No se guarda nada hasta que lo pidas.
        </Alert>
      )}
    </>
  )
}

const BeforeLink = ({ before: { id, revision } }: { before: { id: string; revision: number } }) => (
  <LinkButton variant="ghost" to={`/admin/cotizations/detail-quote/${id}`}>
    Ver la versión {revision}
  </LinkButton>
)

type FormProps = Pick<EditorProps, 'builder' | 'building' | 'result'>

function EditorForm({ builder, building, result }: FormProps) {
  const { benefit, catalogue, draft, typed: kept } = building
  const first = firstState(result, kept)
  const build = useBuild(first.typed, first.open, catalogue)
  const wrong: Wrong = wrongIn(result, first.typed)
  const isExtra = builder.kind === 'extra_work'
  return (
    <Form
      result={result as FormResult | undefined}
      className="gap-4"
      onInput={build.hear}
      onKeyDown={(event) => {
        // It would press the first button of the form.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
    >
      {/* What Enter presses where there is no JavaScript. */}
      <button type="submit" name="intent" value="save-quote" hidden tabIndex={-1} />
      <input type="hidden" name="version" value={draft?.version ?? 0} />
      <input type="hidden" name="benefit" value={benefit?.description ?? ''} />
      <input type="hidden" name="lastId" value={build.typed.lastId} />
      {result?.preview && <BuildPreview content={result.preview} />}
      <div ref={build.inside} hidden={result?.preview !== undefined} className="grid gap-4 [[hidden]]:hidden">
        <BuildOptions {...{ benefit, build, wrong, catalogue, isExtra }} />
        <BuildTerms typed={build.typed} isExtra={isExtra} />
      </div>
      <p role="status" className="sr-only">
        {build.said}
      </p>
      <BuildActions isPreview={result?.preview !== undefined} />
    </Form>
  )
}
