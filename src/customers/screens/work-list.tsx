import { CircleCheck, Clock, Phone } from 'lucide-react'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { later } from '../../kit/later.tsx'
import { rowBox } from '../../shared/count.ts'
import { counted, formatPhone, telLink, thousands } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { cardClass, Details, EmptyState } from '../../ui/card.tsx'
import { classNames, tones } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Link } from '../../ui/link.tsx'
import { countedWork, urgencyOf, type WorkKind, type WorkView, workKinds } from '../rules/work.ts'
import type { Blocks } from './staff-loader.ts'
import { TaskAnswer } from './tasks.tsx'
import { tickedForm, workIntents } from './ticked-form.ts'
import type { WorkAct, WorkGroup, WorkLine } from './work-lines.ts'

const TickedLines = later(() => import('./ticked-lines.tsx').then((part) => part.TickedLines))

const row = 'px-3 py-1.5 lg:px-4'

export const todoPath = (view: WorkView) => (view ? `/admin?todo=${view}` : '/admin')

type Work = NonNullable<Blocks['work']>
type WorkListProps = Work & { now: Date; figuresPath: string | null }

const places = {
  now: 'Alguien espera ahora',
  today: 'Por resolver hoy',
  later: 'Después: lo más antiguo de cada tipo',
} as const

/** What waits for the user: how many of each kind, then what cannot wait, each line with what settles it. */
export function WorkList({ empty, groups, now, ...work }: WorkListProps) {
  const { colleagues, view } = work
  const sections = view
    ? [{ place: view, title: titleOf(view, groups), parts: groups }]
    : Object.entries(places).map(([place, title]) => ({ place, title, parts: partsAt(place, groups, now) }))
  const shown = sections.filter(({ parts }) => parts.some(({ lines }) => lines.length > 0))
  return (
    <>
      {(view || colleagues) && <Counters groups={groups} {...work} />}
      {groups.length === 0 ? (
        <EmptyState icon={CircleCheck}>{empty}</EmptyState>
      ) : (
        <div className="group/inbox grid grid-cols-1 gap-4">
          {shown.length === 0 && <EmptyState icon={CircleCheck}>Aquí no hay nada ahora.</EmptyState>}
          {shown.map(({ parts, place, title }) => (
            <section key={title} aria-label={title} className={classNames(cardClass, 'grid grid-cols-1')}>
              <h2 className={classNames(row, 'text-sm font-semibold text-mute')}>{title}</h2>
              <ul className="grid grid-cols-1 divide-y divide-line border-t border-line">
                {parts.map((group) => (
                  <Group key={group.kind} group={group} place={place} isTicked={colleagues !== null} />
                ))}
              </ul>
            </section>
          ))}
          {colleagues && <TickedLines colleagues={colleagues} isBack={view === 'pospuestas'} />}
        </div>
      )}
    </>
  )
}

function titleOf(view: NonNullable<WorkView>, groups: readonly WorkGroup[]): string {
  if (view === 'mias') return 'Mías'
  if (view === 'pospuestas') return 'Pospuestas'
  const group = groups.find(({ kind }) => kind === view)
  return group ? countedWork(view, group.count) : workKinds[view].label
}

/** What of each kind stands in a section: a kind whose first line is in it. */
const partsAt = (place: string, groups: readonly WorkGroup[], now: Date) =>
  groups.filter(({ lines: [first] }) => first && urgencyOf(first, now) === place)

/** How many there are of each kind, each with the link to them. */
function Counters({ figuresPath, groups, marks, view }: Omit<WorkListProps, 'empty' | 'now'>) {
  const links: [WorkView, string][] = [
    ...groups.map(({ count, kind }): [WorkView, string] => [kind, countedWork(kind, count)]),
    ...marks.map((mark): [WorkView, string] => [mark, mark === 'mias' ? 'Mías' : 'Pospuestas']),
  ]
  return (
    <nav aria-label="Por tipo">
      <ul className="flex flex-wrap gap-1.5">
        {view && <Counter to="/admin" words="Todo" />}
        {links.map(([to, words]) => (
          <Counter
            key={to}
            to={todoPath(to)}
            words={words}
            isShown={to === view}
            isBad={kindTones[to as WorkKind] === 'bad'}
          />
        ))}
        {figuresPath && <Counter to={figuresPath} words="Cifras" />}
      </ul>
    </nav>
  )
}

type CounterProps = { to: string; words: string; isShown?: boolean; isBad?: boolean }

const Counter = ({ isBad, isShown, to, words }: CounterProps) => (
  <li>
    <Link
      to={to}
      prefetch="intent"
      aria-current={isShown ? 'page' : undefined}
      className={classNames(
        'flex min-h-11 items-center rounded-full border px-3 text-sm no-underline lg:min-h-9',
        'aria-[current=page]:border-brand aria-[current=page]:bg-brand-soft',
        isBad ? 'border-bad bg-bad-soft text-bad' : 'border-line bg-card text-ink hover:bg-hover',
      )}
    >
      {words}
    </Link>
  </li>
)

type GroupProps = { group: WorkGroup; place: string; isTicked: boolean }

/** The lines of a kind, and where its others are: of what stands behind its count the first is enough. Only the office has a page of each kind. */
function Group({ group: { all, count, kind, lines, proposed }, isTicked, place }: GroupProps) {
  const left = count.total - lines.length
  const others = isTicked ? todoPath(kind) : all
  const whole = place === kind ? all : place === 'later' || left === 0 ? null : others
  return (
    <>
      {proposed.length > 1 && <ConfirmAll lines={proposed} />}
      {lines.map((line) => (
        <Line key={line.id} line={line} isTicked={isTicked} />
      ))}
      {whole && place in { ...places, [kind]: '' } && (
        <li className={row}>
          <Link to={whole} className="flex min-h-11 items-center text-[0.9375rem] lg:min-h-8">
            {place === kind ? 'Ver en su lista' : moreWords(count, left, kind)}
          </Link>
        </li>
      )}
    </>
  )
}

/** "Y 30 más de «Pendiente»": what stands beyond the lines of a kind. */
const moreWords = ({ isMore }: WorkGroup['count'], left: number, kind: WorkKind) =>
  `Y ${isMore ? 'muchos' : thousands(left)} más de «${workKinds[kind].label}»`

const kindTones: Partial<Record<WorkKind, Tone>> = {
  late: 'bad',
  nobody_today: 'bad',
  urgent: 'bad',
  approval: 'wait',
  nobody_soon: 'wait',
}

/** Two lines on a phone, one on a desk, where what it is about gives way before the name does. */
const lineClass =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2 px-2 py-1 focus-within:bg-hover focus-within:shadow-[inset_3px_0_var(--color-brand)] lg:min-h-11 lg:grid-cols-[1.25rem_7.25rem_minmax(0,max-content)_minmax(0,1fr)_auto_auto] lg:px-3 lg:py-0 xl:grid-cols-[1.25rem_7.25rem_minmax(0,max-content)_minmax(0,1fr)_auto_12.5rem] xl:gap-x-3 xl:px-4'

function Line({ isTicked, line }: { isTicked: boolean; line: WorkLine }) {
  const { act, facts, id, task, title, to } = line
  return (
    <li data-line className={lineClass}>
      {isTicked && <Tick line={line} />}
      <p
        className="col-start-2 row-start-1 truncate font-semibold lg:col-start-3 lg:text-[0.9375rem]"
        title={title}
      >
        {to ? (
          <Link
            to={to}
            prefetch="intent"
            className="inline-block max-w-full truncate py-2 align-middle text-ink lg:py-1"
          >
            {title}
          </Link>
        ) : (
          title
        )}
      </p>
      <About line={line} />
      {act && <Act act={act} line={line} />}
      {task && <TaskAnswer task={task} id={id} title={title} facts={facts} isBeside={act !== null} />}
    </li>
  )
}

/** What a line is about, and since when it waits or when it begins: the second line on a phone. */
const About = ({ line: { facts, kind, wait } }: { line: WorkLine }) => (
  <div className="col-span-full row-start-2 flex min-w-0 items-center gap-x-2 pb-1 pl-2 text-sm lg:contents">
    <span className="shrink-0 text-mute lg:col-start-2 lg:row-start-1">
      {kindTones[kind] ? (
        <Badge tone={kindTones[kind]}>{workKinds[kind].label}</Badge>
      ) : (
        workKinds[kind].label
      )}
    </span>
    <span
      className="order-last min-w-0 truncate text-mute lg:col-start-4 lg:row-start-1"
      title={facts || undefined}
    >
      {facts}
    </span>
    {wait && <Waiting {...wait} />}
  </div>
)

/** Lines are of what has an id; what the system reports of itself has none. */
function Tick({ line: { id, kind, title } }: { line: WorkLine }) {
  const sent = useFormResult(workIntents)?.values
  if (!/^[\da-f-]{36}$/.test(id)) return null
  return (
    <label className="col-start-1 row-start-1 grid size-11 place-items-center lg:size-5">
      <input
        type="checkbox"
        form={tickedForm}
        name={`${rowBox}${id}`}
        value={kind}
        defaultChecked={sent !== undefined && `${rowBox}${id}` in sent}
        autoComplete="off"
        className="size-5 accent-brand"
      />
      <span className="sr-only">Marcar {title}</span>
    </label>
  )
}

/** A wait that is too long has a clock and a colour besides its words. */
function Waiting({ tone, words }: NonNullable<WorkLine['wait']>) {
  const [, start] = /^Empieza (.*)/.exec(words) ?? []
  return (
    <span
      className={classNames(
        'flex shrink-0 items-center gap-1.5 text-sm whitespace-nowrap lg:col-start-5 lg:row-start-1 lg:justify-self-end',
        tones[tone].ink,
        tone !== 'neutral' && 'font-semibold',
      )}
    >
      {tone !== 'neutral' && <Clock aria-hidden className="size-4 shrink-0" />}
      <span>
        {start && <span className="lg:max-xl:sr-only">Empieza </span>}
        {start ?? words}
      </span>
    </span>
  )
}

const intents = { confirm: 'confirm', approve: 'codes.approve' } as const

const targetOf = ({ act, id }: WorkLine): Record<string, string> =>
  act?.how === 'approve' ? { codeId: id } : { appointmentId: id }

/** Its buttons leave a line of 44 px on a desk. */
const actClass =
  'grid justify-self-end lg:[&_:is(a,button)]:min-h-8! lg:[&_:is(a,button)]:px-2.5 lg:[&_:is(a,button)]:py-0.5 lg:text-[0.9375rem]'

type ActProps = { act: WorkAct; line: WorkLine }

/** What settles a line, where it stands. */
function Act({ act, line }: ActProps) {
  const intent = 'version' in act ? intents[act.how] : undefined
  const isRefused = useFormResult(intent, intent && targetOf(line)) !== undefined
  return (
    <div
      className={classNames(
        actClass,
        isRefused ? 'col-span-full row-start-3 lg:row-start-2' : 'col-start-3 row-start-1 lg:col-start-6',
        line.task && 'mr-13 lg:mr-10',
      )}
    >
      {act.how === 'call' ? <Call {...act} /> : <ActButton act={act} line={line} />}
    </div>
  )
}

/** The number is written out: at a desk no link calls it. */
const Call = ({ label, phone }: { label: string; phone: string }) => (
  <span className="flex items-center gap-1">
    <a href={telLink(phone)} className="flex min-h-12 items-center px-3 whitespace-nowrap lg:px-0!">
      <span className="sr-only">{label} </span>
      <Phone aria-hidden className="size-5 sm:hidden" />
      <span className="max-sm:sr-only">{formatPhone(phone)}</span>
    </a>
    <span className="w-9 max-sm:hidden lg:*:w-9">
      <CopyButton text={phone} label={`Copiar ${formatPhone(phone)}`} iconOnly />
    </span>
  </span>
)

/** The button says for whom to a screen reader. */
function ActButton({ act, line }: { act: Exclude<WorkAct, { how: 'call' }>; line: WorkLine }) {
  const whose = <span className="sr-only">: {line.title}</span>
  const variant = kindTones[line.kind] === 'bad' ? 'primary' : 'ghost'
  if (act.how === 'open')
    return (
      <LinkButton to={act.to} variant={variant} className="whitespace-nowrap">
        {act.label}
        {whose}
      </LinkButton>
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
    <li data-line>
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
            {lines.map(({ facts, id, title, wait }) => (
              <li key={id} className="wrap-anywhere">
                <span className="font-medium">{title}</span>{' '}
                <span className="text-mute">
                  {facts} · {wait?.words}
                </span>
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
