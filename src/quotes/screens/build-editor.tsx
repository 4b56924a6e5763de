import { type ReactNode, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { undoSeconds } from '../../appointments/rules/undo.ts'
import { isFormDirty } from '../../kit/form/dirty-forms.ts'
import { TextArea } from '../../kit/form/field.tsx'
import {
  Form,
  FormDetails,
  type FormResult,
  OrphanedFormError,
  Submit,
  useFormResult,
} from '../../kit/form/form.tsx'
import { Versioned } from '../../kit/form/overtaken.tsx'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { dateTime, longDate, lowerFirst, percent } from '../../shared/format.ts'
import { readName } from '../../shared/merging.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader, useSeenList } from '../../ui/page-header.tsx'
import type { DraftApproval as Approval } from '../approvals.ts'
import type { Builder, Building } from '../drafts.ts'
import type { QuoteContent } from '../rules/content.ts'
import type { TypedQuote } from '../rules/draft.ts'
import { draftField } from '../rules/merge-draft.ts'
import { isOpenQuote, mostDiscountShare } from '../rules/quote.ts'
import type { BuildAnswer } from './build-forms.ts'
import { BuildGrid, PricesOfToday } from './build-grid.tsx'
import { BuildSums, typedOffers } from './build-sums.tsx'
import { BuilderField, DraftChanges } from './builder-field.tsx'
import { AskedChanges, QuoteOptions, QuoteTerms } from './quote-options.tsx'
import { firstState, useBuild, type Wrong, wrongIn } from './use-build.ts'

/** A visit's report as the builder shows it: the sentence above it, and its answers. */
type ReportInWords = { head: string; items: { term: string; value: string | null }[] }

type EditorProps = {
  builder: Omit<Builder, 'answers'> & { report: ReportInWords }
  building: Building
  title: string
  back: { to: string; label: string }
  /** Its visit or installation. */
  from: string
  result: BuildAnswer | undefined
}

/** The builder of a quote: its options side by side, their terms, and what can be done with all of it. */
export function BuildEditor({ builder, building, title, back, from, result }: EditorProps) {
  const { draft } = building
  const isDiscard = useFormResult('discard-quote') !== undefined
  // These carry nothing of the draft.
  const isApart = useFormResult(['discard-quote', ...approvalIntents]) !== undefined
  const key = useEditorKey(isApart)
  return (
    <>
      <PageHeader
        title={title}
        subtitle={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {draft ? `${draft.folio}, versión ${draft.revision}` : 'Sin guardar todavía'}
            <Badge tone="neutral">Borrador</Badge>
            <Link to={from}>{builder.appointment.folio}</Link>
          </span>
        }
        back={back}
        actions={draft && <DiscardDraft version={draft.version} isOpen={isDiscard} />}
      />
      <OrphanedFormError />
      <Warnings building={building} isFresh={result === undefined} />
      {building.approval && (
        <DraftApproval
          approval={building.approval}
          mayApprove={builder.mayApprove}
          isRefused={result?.refusal?.description.startsWith(building.approval.why) ?? false}
        />
      )}
      {builder.kind === 'installation' && <BuildReport {...builder.report} />}
      <EditorForm key={key} builder={builder} building={building} result={isApart ? undefined : result} />
    </>
  )
}

const approvalIntents = ['ask-approval', 'approve-quote', 'return-quote']

/**
 * Each answer of the server resets the editor, but for those about its approval, or to a form beside it that was refused:
 * what is typed stays, as what was typed while it was saved. What others change meanwhile resets nothing.
 */
function useEditorKey(isApart: boolean): string {
  const { key } = useLocation()
  const intent = useNavigation().formData?.get('intent')
  const [shown, show] = useState({ own: key, last: key, isKept: false })
  const isKept = approvalIntents.some((one) => one === intent)
  if (intent !== undefined && isKept !== shown.isKept) show({ ...shown, isKept })
  if (intent === undefined && key !== shown.last)
    show({ own: isApart || shown.isKept || isTyped() ? shown.own : key, last: key, isKept: false })
  return shown.own
}

const isTyped = () => [...document.forms].some((form) => 'follows' in form.dataset && isFormDirty(form))

type ApprovalProps = {
  approval: Approval
  mayApprove: boolean /** For the same reason. */
  isRefused: boolean
}

/** A draft that only the manager may send as it is: its author asks, the manager answers, and both read how it stands. */
function DraftApproval({ approval, isRefused, mayApprove }: ApprovalProps) {
  const { last, why } = approval
  if (last?.answer === 'approved')
    return (
      <Alert tone="ok" title={`${last.answerer} la autorizó: ya se puede enviar`}>
        Si la cambias y la guardas, hay que pedir autorización otra vez.
      </Alert>
    )
  if (last && last.answer === null)
    return (
      <>
        <Alert tone="info" title={`${last.asker} pidió autorización: ${lowerFirst(why)}`}>
          {last.reason} <span className="text-mute">{dateTime(last.askedAt)}</span>
        </Alert>
        {mayApprove && <ApprovalAnswers approval={approval} />}
      </>
    )
  if (mayApprove) return null
  return (
    <>
      {(last || !isRefused) && (
        <Alert tone="wait" title={last ? `${last.answerer} la devolvió: ${last.words}` : why}>
          Así solo la gerencia puede enviarla. Cambia los precios, o pide su autorización.
        </Alert>
      )}
      <FormDetails summary="Pedir autorización" intent="ask-approval" target={draftOf(approval)}>
        <TextArea label="¿Por qué conviene?" name="reason" maxLength={300} help="Lo lee la gerencia." />
        <div>
          <Submit>Pedir autorización</Submit>
        </div>
      </FormDetails>
    </>
  )
}

const draftOf = ({ quoteId, version }: Approval) => ({ quoteId, version: String(version) })

/** The manager's two answers, to the draft as it stands here. */
const ApprovalAnswers = ({ approval }: { approval: Approval }) => (
  <div className="grid items-start gap-3 sm:grid-cols-[auto_minmax(0,1fr)]">
    <Form intent="approve-quote" target={draftOf(approval)}>
      <input type="hidden" name="discountShare" value={approval.discountShare} />
      <NoWayBack to="a quien la hizo" />
      <Submit>Autorizar</Submit>
    </Form>
    <FormDetails summary="Devolver con motivo" intent="return-quote" target={draftOf(approval)}>
      <TextArea label="¿Qué hay que cambiar?" name="words" maxLength={300} help="Lo lee quien la hizo." />
      <NoWayBack to="a quien la hizo" />
      <div>
        <Submit variant="destructive">Devolver</Submit>
      </div>
    </FormDetails>
  </div>
)

type WarningsProps = { building: Building; isFresh: boolean }

function Warnings({ building: { before, isProposed, missing }, isFresh }: WarningsProps) {
  return (
    <>
      {before && <AskedChanges quote={before} />}
      {before && isOpenQuote(before.state) && (
        <Alert
          tone="wait"
          title={`El cliente todavía puede aceptar la versión ${before.revision}`}
          actions={<BeforeLink before={before} />}
        >
          Al enviar esta, la sustituye: ya no podrá aceptar la otra y recibe un solo correo.
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
        <Alert tone="wait" title="El catálogo no tiene en uso estas partidas">
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
  const stored = { typed: kept, version: draft?.version ?? null }
  const first = firstState(result, stored)
  const build = useBuild(first, stored, catalogue, result !== undefined)
  const wrong: Wrong = wrongIn(result)
  const isExtra = builder.kind === 'extra_work'
  const replaced = building.before && isOpenQuote(building.before.state) ? building.before : null
  // A version that had ended is replaced as well.
  const isFinal = building.before?.wasSent === true && building.before.state !== 'accepted'
  const isOver =
    !builder.mayApprove &&
    !building.approval &&
    !result?.refusal &&
    typedOffers(build, benefit).some(({ share }) => share > mostDiscountShare)
  const note = isOver ? overWords : isFinal ? finalWords[Number(replaced !== null)] : undoWords
  const doubtful = (result?.refusal?.details as { metres?: string } | null | undefined)?.metres
  return (
    <Form
      result={result as FormResult | undefined}
      version={build.version}
      className="gap-4"
      onInput={build.hear}
      onKeyDown={build.onKeyDown}
    >
      {/* The button that Enter presses where there is no JavaScript. */}
      <button type="submit" name="intent" value="save-quote" hidden tabIndex={-1} />
      <input type="hidden" name={readName('draft')} value={draftField(kept)} />
      <input type="hidden" name="benefit" value={benefit?.description ?? ''} />
      <input type="hidden" name="lastId" value={build.typed.lastId} />
      <input type="hidden" name="meant" value={doubtful ?? ''} />
      <input type="hidden" name="catalogue" value={building.catalogueSign} />
      <input type="hidden" name="replaces" value={replaced?.id ?? ''} />
      <Versioned value={undefined}>
        {build.changes.length > 0 && <DraftChanges changes={build.changes} />}
        {result?.preview && <BuildPreview content={result.preview} />}
        <div
          ref={build.inside}
          hidden={result?.preview !== undefined}
          className="grid gap-4 [[hidden]]:hidden"
        >
          {(building.before || draft) && <PricesOfToday build={build} catalogue={catalogue} />}
          <BuildGrid benefit={benefit} build={build} wrong={wrong} catalogue={catalogue} isExtra={isExtra} />
          <BuildTerms typed={build.typed} isExtra={isExtra} />
        </div>
        <p className="text-sm text-mute lg:hidden">{note}</p>
        <BuildActions
          isPreview={result?.preview !== undefined}
          isDoubted={doubtful !== undefined}
          replaced={replaced}
          note={note}
        >
          <BuildSums benefit={benefit} build={build} isExtra={isExtra} margins={building.margins} />
        </BuildActions>
      </Versioned>
    </Form>
  )
}

const overWords = `El descuento pasa del ${percent(mostDiscountShare)}: solo la gerencia puede enviarla así.`
const undoWords = `Enviada, puedes deshacerlo durante ${undoSeconds} segundos si el cliente no la ha abierto.`
const finalWords = [
  'El correo al cliente sale en cuanto la envías: no se puede deshacer.',
  'Al enviarla termina la versión anterior: no se puede deshacer.',
]

/** A draft as its customer would see it, of the same parts. */
const BuildPreview = ({ content }: { content: QuoteContent }) => (
  <section aria-label="Vista previa" className="grid gap-4">
    <Alert tone="info" title="Así la verá el cliente">
      Podrá aceptarla hasta el {longDate(content.validUntil)}. Todavía no se guarda ni se envía.
    </Alert>
    <QuoteOptions content={content} />
    <QuoteTerms content={content} open />
  </section>
)

type DiscardProps = { version: number; isOpen: boolean }

/** Throws a draft away, after asking. */
const DiscardDraft = ({ version, isOpen }: DiscardProps) => (
  <Dialog
    trigger="Descartar borrador"
    variant="ghost"
    title="¿Descartar este borrador?"
    description="Se borra lo que escribiste. El cliente nunca lo vio."
    defaultOpen={isOpen}
  >
    <Form intent="discard-quote">
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="list" value={useSeenList('/admin/cotizations')} />
      <Submit variant="destructive">Sí, descartar</Submit>
    </Form>
  </Dialog>
)

type ActionsProps = {
  isPreview: boolean
  isDoubted: boolean
  replaced: { revision: number } | null
  /** What sending it does, or why that is the manager's. */
  note: string | undefined
  /** The sums. */
  children: ReactNode
}

/** What can be done with the whole draft, under what it comes to. */
const BuildActions = ({ children, isDoubted, isPreview, note, replaced }: ActionsProps) => (
  <ActionBar stays className="grid-cols-3">
    {!isPreview && <div className="col-span-full w-full">{children}</div>}
    <Submit name="intent" value="send-quote" className={replaced ? 'px-2 max-sm:col-span-full' : 'px-2'}>
      {isDoubted ? 'Enviar así' : 'Enviar'}
      {replaced && ` y sustituir la versión ${replaced.revision}`}
    </Submit>
    <Submit name="intent" value="save-quote" variant="ghost" className="px-2">
      <span>
        Guardar<span className="max-sm:sr-only"> borrador</span>
      </span>
    </Submit>
    {isPreview ? (
      <Submit name="edit" value="back" variant="ghost" className="px-2">
        Seguir editando
      </Submit>
    ) : (
      <Submit name="intent" value="preview-quote" variant="ghost" className="px-2">
        Vista previa
      </Submit>
    )}
    <p className="col-span-full min-w-0 flex-1 text-xs text-mute max-lg:hidden">{note}</p>
  </ActionBar>
)

/** What the visit's report says that a quote is made of. */
const BuildReport = ({ head, items }: ReportInWords) => (
  <Details summary={`Reporte de la visita: ${head}`}>
    <DefinitionList items={items} />
  </Details>
)

/** What holds for every option of a quote. */
function BuildTerms({ typed, isExtra }: { typed: TypedQuote; isExtra: boolean }) {
  return (
    <Card aria-label="Condiciones">
      <div className="grid gap-3 sm:grid-cols-3">
        {isExtra ? (
          <input type="hidden" name="depositPercent" value="0" />
        ) : (
          <BuilderField
            label="Anticipo (%)"
            name="depositPercent"
            inputMode="numeric"
            value={typed.depositPercent}
          />
        )}
        <BuilderField label="Vence (todo ese día)" name="validUntil" type="date" value={typed.validUntil} />
        <BuilderField
          label="Garantía, en meses"
          name="warrantyMonths"
          inputMode="numeric"
          value={typed.warrantyMonths}
        />
        <BuilderField label="Qué no incluye" name="exclusions" isLong value={typed.exclusions} />
        <BuilderField
          label="Qué se devuelve si cancela"
          name="refundTerms"
          isLong
          value={typed.refundTerms}
        />
        <BuilderField label="Notas para el cliente" name="notes" isLong value={typed.notes} />
      </div>
    </Card>
  )
}
