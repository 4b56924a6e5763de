import { CircleCheck, Clock } from 'lucide-react'
import { Fragment } from 'react'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { counted, telLink, thousands } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Badge } from '../../ui/badge.tsx'
import { type ButtonVariant, buttonClass, LinkButton } from '../../ui/button.tsx'
import { cardClass, Details, EmptyState } from '../../ui/card.tsx'
import { classNames, tones } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { type WorkKind, workKinds } from '../rules/work.ts'
import type { Blocks } from './staff-loader.ts'
import { TaskAnswer, taskIntents } from './tasks.tsx'
import type { WorkAct, WorkGroup, WorkLine } from './work-lines.ts'

/** How many lines of a kind stand open, unless it is urgent; the others open in place. */
const LINES_OPEN = 5

const row = 'px-4 py-2.5 sm:px-5'

/** What waits for the user, in order of harm; each line with the one button that settles it. */
export function WorkList({ empty, groups }: { empty: string; groups: readonly WorkGroup[] }) {
  if (groups.length === 0) return <EmptyState icon={CircleCheck}>{empty}</EmptyState>
  return (
    <section aria-labelledby="para-hoy" className={classNames(cardClass, 'grid grid-cols-1')}>
      <h2 id="para-hoy" className={classNames(row, 'border-b border-line font-semibold')}>
        Para hoy
      </h2>
      <ul className="grid grid-cols-1 divide-y divide-line">
        {groups.map((group) => (
          <Group key={group.kind} group={group} />
        ))}
      </ul>
    </section>
  )
}

function Group({ group: { all, count, kind, lines } }: { group: WorkGroup }) {
  const open = kindTones[kind] === 'bad' || all === null ? lines.length : LINES_OPEN
  const shown = lines.slice(0, open)
  const folded = lines.slice(open)
  const refused = useFormResult(lineIntents)
  const isRefused = (line: WorkLine) => Object.values(refused?.values ?? {}).includes(line.id)
  return (
    <>
      {kind === 'to_confirm' && lines.length > 1 && <ConfirmAll lines={lines} />}
      {shown.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      {folded.length > 0 && (
        <li>
          <details open={folded.some(isRefused)}>
            <summary className={classNames(row, foldClass)}>
              Ver {thousands(folded.length)} más de «{workKinds[kind].label}»
            </summary>
            <ul className="grid grid-cols-1 divide-y divide-line border-t border-line">
              {folded.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </ul>
          </details>
        </li>
      )}
      {count.total > lines.length && (
        <li className={row}>
          {all ? (
            <Link to={all} className="flex min-h-11 items-center text-[0.9375rem]">
              {moreWords(count, lines.length, kind)}
            </Link>
          ) : (
            <p className="text-[0.9375rem] text-mute">{moreWords(count, lines.length, kind)}</p>
          )}
        </li>
      )}
    </>
  )
}

/** "Y 30 más de «Pendiente»": what stands beyond the lines of a kind. */
const moreWords = ({ isMore, total }: WorkGroup['count'], shown: number, kind: WorkKind) =>
  `Y ${isMore ? 'muchos' : thousands(total - shown)} más de «${workKinds[kind].label}»`

const foldClass =
  'flex min-h-11 items-center text-[0.9375rem] font-medium text-mute select-none hover:bg-hover hover:text-ink'

const kindTones: Partial<Record<WorkKind, Tone>> = {
  late: 'bad',
  nobody_today: 'bad',
  urgent: 'bad',
  nobody_soon: 'wait',
  left_open: 'wait',
}

function Line({ line }: { line: WorkLine }) {
  const { act, facts, id, kind, task, title, to, wait } = line
  const intent = act && 'version' in act ? intents[act.how] : undefined
  const isRefused = useFormResult(intent, intent && targetOf(line)) !== undefined
  const tone = kindTones[kind]
  return (
    <li
      className={classNames(
        row,
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 xl:grid-cols-[10.5rem_minmax(0,1fr)_auto_10rem]',
      )}
    >
      <span className="text-sm text-mute">
        {tone ? <Badge tone={tone}>{workKinds[kind].label}</Badge> : workKinds[kind].label}
      </span>
      <div className="col-start-1 row-start-2 grid min-w-0 wrap-anywhere xl:col-start-2 xl:row-start-1">
        <p className="font-semibold">
          {to ? (
            <Link to={to} prefetch="intent" className="-my-1.5 inline-block py-1.5 text-ink">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        {facts && (
          <p className="text-sm text-mute">
            {facts.split(' · ').map((fact, n) => (
              <Fragment key={fact}>
                {n > 0 && ' · '}
                {/* Folios break at a hyphen otherwise; sentences may flow. */}
                <span className={/^[A-Z]+-\d/.test(fact) ? 'whitespace-nowrap' : undefined}>{fact}</span>
              </Fragment>
            ))}
          </p>
        )}
      </div>
      {wait && <Waiting {...wait} />}
      {act && (
        <div
          className={classNames(
            'grid',
            isRefused
              ? 'col-span-full row-start-4 xl:col-start-2 xl:col-end-5 xl:row-start-2'
              : 'col-start-2 row-start-2 xl:col-start-4 xl:row-start-1',
          )}
        >
          <Act act={act} line={line} variant={tone === 'bad' ? 'primary' : 'ghost'} />
        </div>
      )}
      {task && (
        <div className="col-span-full xl:col-start-2">
          <TaskAnswer task={task} id={id} />
        </div>
      )}
    </li>
  )
}

/** A wait that is too long has a clock and a colour besides its words. */
const Waiting = ({ tone, words }: NonNullable<WorkLine['wait']>) => (
  <span
    className={classNames(
      'col-span-full row-start-3 flex items-center gap-1.5 text-sm xl:col-span-1 xl:col-start-3 xl:row-start-1',
      tones[tone].ink,
      tone !== 'neutral' && 'font-semibold',
    )}
  >
    {tone !== 'neutral' && <Clock aria-hidden className="size-4 shrink-0" />}
    {words}
  </span>
)

const intents = { confirm: 'confirm', approve: 'codes.approve' } as const
const lineIntents = [...Object.values(intents), ...taskIntents]

const targetOf = ({ act, id }: WorkLine): Record<string, string> =>
  act?.how === 'approve' ? { codeId: id } : { appointmentId: id }

type ActProps = { act: WorkAct; line: WorkLine; variant: ButtonVariant }

/** The button, which says for whom to a screen reader. */
function Act({ act, line, variant }: ActProps) {
  const whose = <span className="sr-only">: {line.title}</span>
  if (act.how === 'open')
    return (
      <LinkButton to={act.to} variant={variant}>
        {act.label}
        {whose}
      </LinkButton>
    )
  if (act.how === 'call')
    return (
      <a href={telLink(act.phone)} className={buttonClass(variant)}>
        {act.label}
        {whose}
      </a>
    )
  return (
    <Form intent={intents[act.how]} target={targetOf(line)}>
      <input type="hidden" name="version" value={act.version} />
      {act.how === 'confirm' && <input type="hidden" name="assigneeId" value={act.assigneeId} />}
      <Submit variant={variant} className="w-full">
        {act.how === 'confirm' ? 'Confirmar' : 'Aprobar'}
        {whose}
      </Submit>
    </Form>
  )
}

/** Confirms every proposed assignment as it is shown here, after it was read: the first press opens the list. */
function ConfirmAll({ lines }: { lines: readonly WorkLine[] }) {
  const result = useFormResult('confirm-all')
  const proposed = lines.flatMap(({ act, id }) =>
    act?.how === 'confirm' ? [`${id}:${act.version}:${act.assigneeId}`] : [],
  )
  const all = counted(lines.length, 'cita', 'citas')
  return (
    <li>
      <details open={result !== undefined}>
        <summary
          className={classNames(
            row,
            'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 select-none',
          )}
        >
          <span className="text-[0.9375rem] text-mute">{all} con persona propuesta</span>
          <span className={buttonClass('ghost', 'whitespace-nowrap')}>Confirmar todas</span>
        </summary>
        <div className={classNames(row, 'grid gap-4 border-t border-line')}>
          <ul className="grid gap-1 text-[0.9375rem]">
            {lines.map(({ facts, id, title }) => (
              <li key={id} className="wrap-anywhere">
                <span className="font-medium">{title}</span> <span className="text-mute">{facts}</span>
              </li>
            ))}
          </ul>
          <p className="text-[0.9375rem]">Cada cliente y cada técnico reciben un correo.</p>
          <Form intent="confirm-all">
            <input type="hidden" name="proposed" value={proposed.join(',')} />
            <div>
              <Submit>Confirmar las {lines.length}</Submit>
            </div>
          </Form>
        </div>
      </details>
    </li>
  )
}

const nightTones = { without: 'bad', replaced: 'info', confirmed: 'ok' } as const
const nightLabels = {
  without: 'Sin persona',
  replaced: 'Cambió de persona',
  confirmed: 'Confirmada',
} as const

/** What the system did by itself, in a sentence that opens as a list. */
export const Night = ({ ended, lines, more, words }: NonNullable<Blocks['night']>) => (
  <Details summary={words}>
    <ul className="grid gap-3">
      {lines.map(({ assignee, before, customer, folio, id, outcome, to, when }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem]">
          <Badge tone={nightTones[outcome]}>{nightLabels[outcome]}</Badge>
          <Link to={to} prefetch="intent" className="-my-2.5 py-2.5 font-medium">
            {customer}
          </Link>
          <span className="text-mute">
            {[when, peopleWords(outcome, before, assignee), folio].filter(Boolean).join(' · ')}
          </span>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link to="/admin/appointments-pending" className="inline-flex min-h-11 items-center">
            Y {thousands(more)} más en Próximas citas
          </Link>
        </li>
      )}
      {ended.map(({ label, to }) => (
        <li key={to}>
          <Link to={to} prefetch="intent" className="inline-flex min-h-11 items-center">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </Details>
)

function peopleWords(outcome: keyof typeof nightLabels, before: string | null, assignee: string | null) {
  if (outcome === 'without') return before && `ya no puede ${before}`
  return outcome === 'replaced' && before ? `de ${before} a ${assignee}` : `con ${assignee}`
}
