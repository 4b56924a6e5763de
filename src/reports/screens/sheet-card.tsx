import { ChevronRight, CircleAlert, CircleCheck, CircleDashed, CloudUpload, LoaderCircle } from 'lucide-react'
import type { Draft } from '../../offline/draft.ts'
import { counted } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { Progress } from '../../ui/progress.tsx'
import { judgeAnswer } from '../rules/answers.ts'
import { askedAgain, missingInSection, questionOf, sectionsOf, unsafeWords } from '../rules/progress.ts'
import {
  type Answers,
  type Missing,
  type Scope,
  type Sheet,
  type SheetKind,
  sheetLabels,
  sheetStateFacts,
} from '../rules/report.ts'
import { MissingList } from './missing-list.tsx'
import { ScopeLines } from './scope-lines.tsx'
import { reportSectionPath } from './sheet-path.ts'
import { filledSlots, leftWords, progressIn, stillMissing } from './use-answers.ts'

const words = {
  visit: { begin: 'Llenar reporte', goOn: 'Seguir con el reporte' },
  installation: { begin: 'Llenar registro', goOn: 'Seguir con el registro' },
}

export type ProgressDraft = Pick<Draft, 'answers' | 'files' | 'isRead' | 'typed' | 'unkept' | 'waiting'>

type SheetCardProps = {
  sheet: Sheet
  draft: ProgressDraft
  /** It is its author's current task: it is first on a phone. */
  isNext: boolean
}

/** How far a report is, what it still lacks, and the link to it. */
export function SheetCard({ sheet, draft, isNext }: SheetCardProps) {
  const { kind, state } = sheet
  const missing = stillMissing(sheet, draft)
  const progress = progressIn(sheet, draft)
  const { label, tone } = sheetStateFacts[state]
  const next = missing[0]?.section ?? sectionsOf[kind].at(-1)!.id
  const goOn = (
    <LinkButton to={reportSectionPath(next)} variant={isNext ? 'primary' : 'ghost'}>
      {missing.length === 0
        ? 'Revisar y enviar'
        : isBegun(sheet, draft)
          ? words[kind].goOn
          : words[kind].begin}
    </LinkButton>
  )
  return (
    <Card
      title={sheetLabels[kind]}
      aside={<Badge tone={tone}>{label}</Badge>}
      className={isNext ? 'max-lg:order-first' : undefined}
    >
      <ReturnNotice sheet={sheet} isReady={sheet.mayWrite && missing.length === 0} />
      {sheet.mayWrite && (
        <UnsafeAlert missing={missing} otherEnd={state === 'draft' ? `#${otherEndId}` : null} />
      )}
      <FoundAlert {...draft.answers} />
      <div className="grid gap-2">
        <Progress label={`Avance: ${sheetLabels[kind]}`} value={progress} />
        <div className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm text-mute">
          <span>{leftWords(sheet, draft) ?? 'Está completo'}</span>
          {sheet.mayWrite && <SavedWords draft={draft} />}
        </div>
      </div>
      {sheet.mayWrite && (
        <>
          {isNext ? <ActionBar>{goOn}</ActionBar> : goOn}
          {missing.length > 0 && (
            <Details summary="Qué falta">
              <MissingList missing={missing} />
            </Details>
          )}
        </>
      )}
    </Card>
  )
}

/** What the visit found that an installation has to respect. */
const FoundAlert = ({ agreedLimit, agreedWorks }: Answers) => (
  <>
    {typeof agreedLimit === 'number' && (
      <Alert tone="wait" title={`Déjalo a ${agreedLimit}\u00a0A o menos`}>
        La casa no aguanta más hasta que CFE aumente la carga. Limítalo como diga su manual y ponle su
        etiqueta.
      </Alert>
    )}
    {typeof agreedWorks === 'string' && (
      <Alert tone="wait" title="Adecuaciones que pidió la visita">
        {agreedWorks}
      </Alert>
    )}
  </>
)

/** Whether its author wrote in it: what is known without asking is in it from the beginning. */
const isBegun = ({ answers }: Sheet, { files, waiting }: ProgressDraft) =>
  files.length > 0 || waiting > 0 || Object.values(answers).some(({ revision }) => revision > 0)

type ReturnNoticeProps = {
  sheet: Sheet
  /** All of it was given again. */
  isReady: boolean
  /** Where it is shown, if not above the whole report. */
  section?: string
}

/** Why a report came back, and what to give again; once it was given, that it can be sent. Of another section one line. */
export function ReturnNotice({
  sheet: { kind, redo, returnReason, state },
  isReady,
  section,
}: ReturnNoticeProps) {
  if (state !== 'returned') return null
  const again = askedAgain(kind, redo)
  const [first] = again
  if (isReady)
    return (
      <Alert tone="ok" title="Listo para enviar">
        Corregiste lo que te pidieron. Falta enviarlo otra vez.
      </Alert>
    )
  if (section && first && again.every((one) => one.section !== section))
    return (
      <Link
        to={reportSectionPath(first.section, first.name)}
        className="flex min-h-11 items-center gap-1 font-semibold text-bad"
      >
        Por corregir: {first.label}
        {again.length > 1 && ` y ${again.length - 1} más`}
        <ChevronRight aria-hidden className="size-5 shrink-0" />
      </Link>
    )
  return (
    <Alert tone="bad" title="Por corregir">
      <p>{returnReason}</p>
      {again.length > 0 && <MissingList missing={again} />}
    </Alert>
  )
}

type Saved = Pick<Draft, 'isRead' | 'waiting' | 'typed' | 'unkept'>

/** Whether everything written here is kept and on the server. Announced only when it begins or ends to wait. */
export function SavedWords({ draft }: { draft: Saved }) {
  const { Icon, tone, words } = standing(draft)
  return (
    <span
      data-reading={draft.isRead ? undefined : ''}
      className={`flex items-center gap-1.5 text-sm noscript:hidden ${tone}`}
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      {words}
    </span>
  )
}

/** What is not kept comes first, then what is not complete: neither is hidden by the rest. */
function standing({ isRead, typed, unkept, waiting }: Saved) {
  const unfinished = Object.entries(typed).flatMap(([name, text]) => {
    const question = questionOf('visit', name) ?? questionOf('installation', name)
    return question && 'message' in judgeAnswer(question, text) ? [text] : []
  })
  if (unkept.size > 0) return { Icon: CircleAlert, tone: 'text-bad', words: 'Lo último no se guardó' }
  if (!isRead) return { Icon: LoaderCircle, tone: 'text-mute', words: 'Leyendo lo que guardaste…' }
  if (unfinished.length === 1)
    return {
      Icon: CircleAlert,
      tone: 'text-bad',
      words: Array.isArray(unfinished[0]) ? 'Falta completar un aparato' : 'Falta corregir un dato',
    }
  if (unfinished.length > 1)
    return { Icon: CircleAlert, tone: 'text-bad', words: `Falta completar ${unfinished.length} datos` }
  if (waiting > 0) return { Icon: CloudUpload, tone: 'text-mute', words: waitingWords(waiting) }
  return { Icon: CircleCheck, tone: 'text-mute', words: 'Guardado' }
}

/** "3 por enviar": as the bar and the list of what is to be sent say it. */
export const waitingWords = (count: number) => `${count} por enviar`

/** The form by which an appointment ends without being completed. */
export const otherEndId = 'otro-final'

type UnsafeAlertProps = {
  missing: readonly Missing[]
  /** Where the appointment can still end so; null where it is over. */
  otherEnd: string | null
}

/** The failed tests, and that nothing stays energized after them; nothing where none failed. */
export function UnsafeAlert({ missing, otherEnd }: UnsafeAlertProps) {
  const failed = missing.filter(({ unsafe }) => unsafe)
  if (failed.length === 0) return null
  return (
    <Alert
      tone="bad"
      title={unsafeWords}
      actions={
        otherEnd && (
          <LinkButton variant="ghost" to={otherEnd}>
            Terminar como «Quedó incompleta»
          </LinkButton>
        )
      }
    >
      <ul className="grid list-disc gap-1 pl-5">
        {failed.map(({ label, message, name }) => (
          <li key={name}>
            {label}. {message.replace(`${unsafeWords} `, '')}
          </li>
        ))}
      </ul>
      <p className="mt-2">
        Corrígelo y vuelve a probar. Si hoy no se puede, corta la energía, deja candado y etiqueta
        {otherEnd ? ', y termina la cita como «Quedó incompleta».' : '.'}
      </p>
    </Alert>
  )
}

type SectionListProps = { kind: SheetKind; draft: Draft; current: string }

/** All the steps of a report, each with what it still lacks. */
export function SectionList({ kind, draft, current }: SectionListProps) {
  const taken = filledSlots(draft)
  const sections = sectionsOf[kind]
  const nth = sections.findIndex(({ id }) => id === current) + 1
  return (
    <Details summary={`Todas las secciones: ${nth} de ${sections.length}`}>
      <nav aria-label="Secciones">
        <ol className="-m-2 grid">
          {sections.map((section, nth) => (
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
      to={reportSectionPath(id)}
      aria-current={isCurrent ? 'step' : undefined}
      className="flex min-h-12 items-center gap-3 rounded-control px-2 hover:bg-hover aria-[current]:bg-hover aria-[current]:font-semibold"
    >
      <Icon aria-hidden className={`size-5 shrink-0 ${missing === 0 ? 'text-brand' : 'text-mute'}`} />
      <span className="min-w-0 flex-1">{title}</span>
      <span className="text-sm font-normal text-mute">
        {missing === 0 ? 'Completa' : answersMissing(missing)}
      </span>
    </Link>
  )
}

/** "Falta 1 respuesta", "Faltan 3 respuestas" */
const answersMissing = (count: number) =>
  `${count === 1 ? 'Falta' : 'Faltan'} ${counted(count, 'respuesta', 'respuestas')}`

/** What the customer agreed to have done, for the installer. */
export const ScopeCard = ({ scope }: { scope: Scope }) => (
  <Card title="Lo que se acordó">
    <ScopeLines lines={scope.lines} />
  </Card>
)
