import { isActive, serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import { lateMinutes, lateWords } from '../../appointments/rules/late.ts'
import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import { type BoardQuery, boardPath, fromBoard } from '../../scheduling/screens/board-query.ts'
import { serviceIcons, serviceLooks } from '../../scheduling/screens/service-look.tsx'
import { isHoliday } from '../../shared/calendar.ts'
import { duration, minuteHands, minuteTime, theTime } from '../../shared/format.ts'
import { SheetIcon } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { type BoardDay, type BoardOffer, type BoardVisit, isMovable, type Lane } from '../rules/board.ts'
import { zoneLabel, zoneShort } from '../rules/zone-labels.ts'
import { lanePositionOf } from './lane-position.ts'
import type { Moving, Over } from './use-moving.ts'
import './board.css'

type LaneProps = {
  lane: Lane
  personId: string
  hours: MinuteSpan
  board: BoardDay
  /** Appointments outside the filter; they are drawn all the same, since they take the person's time. */
  faded: readonly string[]
  /** The appointment whose panel is open. */
  chosen?: string | null | undefined
  /** The board that blocks lead back to, and what drags them; a picture has neither. */
  query?: BoardQuery | undefined
  moving?: Moving | undefined
  picture?: Picture | undefined
}

/** A picture of a change of a day: what is said of each appointment that it concerns, and where those were that it takes away. */
export type Picture = {
  isAfter: boolean
  changed: ReadonlyMap<string, string>
  ghosts: readonly { visit: BoardVisit; words: string }[]
}

/** One person's day along its hours. */
export function BoardLane(props: LaneProps) {
  const { board, chosen, faded, hours, lane, moving, personId, picture, query } = props
  const held = offInWords(lane, board)
  const isClosed = isHoliday(board.day.date, board.settings.holidays)
  const offers = board.offers.filter((offer) => offer.personId === personId && isOn(offer, board))
  return (
    <div data-lane={personId} className="board-lane relative">
      <Ground lane={lane} hours={hours} />
      {held && <p className="desk-said text-sm text-mute">{held}</p>}
      {lane.visits.length === 0 && (
        <p className="text-sm text-mute lg:hidden">{!held && !isClosed && 'Todo su horario está libre.'}</p>
      )}
      <ol>
        {/* Behind what takes their hour. */}
        {picture?.ghosts.map(
          ({ visit, words }) =>
            visit.personId === personId && (
              <li key={visit.id} className="contents">
                <Ghost visit={visit} words={words} hours={hours} />
              </li>
            ),
        )}
        {lane.visits.map((visit) => (
          <li key={visit.id} className="contents">
            <BoardBlock
              visit={visit}
              hours={hours}
              moving={moving}
              query={query}
              picture={picture}
              late={picture ? 0 : lateMinutes(visit, board.now)}
              isFaded={faded.includes(visit.id)}
              isChosen={chosen === visit.id}
            />
            <Way lane={lane} visit={visit} hours={hours} />
          </li>
        ))}
        {offers.map((offer) => (
          <li key={offer.id} className="contents">
            <OfferBlock offer={offer} hours={hours} board={board} moving={moving} query={query} />
          </li>
        ))}
      </ol>
      {moving?.over?.personId === personId && <Landing over={moving.over} hours={hours} />}
      <NowLine board={board} hours={hours} />
    </div>
  )
}

const isOn = ({ start }: MinuteSpan, { day }: BoardDay) => start >= day.start && start < day.end

/** Behind the appointments of a lane: the shift, the hours, and the time off. */
const Ground = ({ lane, hours }: { lane: Lane; hours: MinuteSpan }) => (
  <div aria-hidden className="absolute inset-0 overflow-hidden max-lg:hidden">
    {lane.shifts.map((span) => (
      <div key={span.start} className="placed inset-y-0 bg-card" style={lanePositionOf(span, hours)} />
    ))}
    <Lines hours={hours} />
    {heldIn(lane).map(({ word, ...span }) => (
      <div
        key={span.start}
        className="placed hatched-off inset-y-0 grid place-items-center overflow-hidden"
        style={lanePositionOf(span, hours)}
      >
        <span className="rounded-full bg-card px-2 py-0.5 text-[0.8125rem] text-mute">{word}</span>
      </div>
    ))}
  </div>
)

/** A line at each hour. */
const Lines = ({ hours }: { hours: MinuteSpan }) =>
  Array.from({ length: (hours.end - hours.start) / 60 - 1 }, (_, n) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: hours differ by their place only
      key={n}
      className="at-hour inset-y-0 border-l border-line"
      style={lanePositionOf({ start: hours.start + (n + 1) * 60, end: hours.end }, hours)}
    />
  ))

const heldIn = ({ busy, off }: Lane) => [
  ...off.map((span) => ({ ...span, word: 'Ausente' })),
  ...busy.map((span) => ({ ...span, word: 'Ocupado' })),
]

const offInWords = (lane: Lane, { day }: BoardDay) =>
  lane.off.some(({ end, start }) => start <= day.start && end >= day.end)
    ? 'No trabaja este día: tiene permiso.'
    : heldIn(lane)
        .map((one) => `${one.word} ${spanWords(one, day)}.`)
        .join(' ')

function spanWords({ end, start }: MinuteSpan, day: MinuteSpan) {
  if (end >= day.end) return `desde ${theTime(new Date(start * 60_000))}`
  return `${start <= day.start ? 'hasta' : `de ${minuteTime(start)} a`} ${minuteTime(end)}`
}

/** The travel after an appointment: hatched, with its minutes. */
function Way({ lane, visit, hours }: { lane: Lane; visit: BoardVisit; hours: MinuteSpan }) {
  const gap = lane.gaps.find(({ after }) => after === visit.id)
  if (!gap) return null
  return (
    <div
      className={classNames(
        'placed board-way flex min-w-0 items-center',
        gap.short ? 'font-semibold text-bad' : 'text-mute',
      )}
      style={lanePositionOf(gap, hours)}
      title={`${duration(gap.travel)} de traslado${gap.short ? ': no llega a tiempo' : ''}`}
    >
      <span aria-hidden className="hatched absolute inset-x-0 rounded max-lg:hidden" />
      <span className="relative rounded bg-card px-1 whitespace-nowrap">
        <span className="desk-said">Traslado de </span>
        {gap.travel}
        <span className="desk-said"> min{gap.short && ': no llega a tiempo'}</span>
      </span>
    </div>
  )
}

/** Where the dragged block would be placed. */
const Landing = ({ over, hours }: { over: Over; hours: MinuteSpan }) => (
  <div
    aria-hidden
    className={classNames(
      'placed board-block board-landing pointer-events-none z-10 max-lg:hidden',
      over.barred
        ? 'border-bad bg-bad-soft'
        : over.reasons.length > 0
          ? 'border-wait bg-wait-soft'
          : 'border-brand bg-brand-soft',
    )}
    style={lanePositionOf(over, hours)}
  />
)

function NowLine({ board: { now }, hours }: { board: BoardDay; hours: MinuteSpan }) {
  if (now < hours.start || now >= hours.end) return null
  return (
    <div
      aria-hidden
      className="at-hour pointer-events-none inset-y-0 w-0.5 bg-bad max-lg:hidden"
      style={lanePositionOf({ start: now, end: hours.end }, hours)}
    />
  )
}

/** What is late is red; a dashed amber edge marks what is not settled yet; what is over is grey. */
function lookOf({ service, state }: BoardVisit, late: number): string {
  const { ink, surface } = serviceLooks[service]
  if (late > 0) return 'edge-soft edge-late bg-bad-soft text-bad'
  if (state === 'no_show') return 'edge-soft bg-bad-soft text-bad'
  if (!isActive(state)) return overLook
  return state === 'requested' ? 'edge-dashed border-wait bg-card text-wait' : `${ink} ${surface}`
}

const overLook = 'border-line bg-hover text-mute'

/** On a picture what a change concerns stands out: outlined as it is, solid as it would be. */
function pictureLook({ id, service }: BoardVisit, { changed, isAfter }: Picture): string {
  const { ink, surface } = serviceLooks[service]
  if (!changed.has(id)) return overLook
  return `is-changed ${ink} ${isAfter ? surface : 'edge-dashed bg-card'}`
}

/** The screen of an appointment, as its state has it; where it can be assigned, it leads back to the board. */
export const pageOf = ({ id, state }: Pick<BoardVisit, 'id' | 'state'>, query?: BoardQuery) => {
  if (!isMovable({ state })) return `/admin/appointments-${isActive(state) ? 'pending' : 'done'}/${id}`
  return query ? fromBoard(`${boardPath}/${id}`, query) : `${boardPath}/${id}`
}

/** From so many minutes on, a block has room for the word of its state and the first name; from so many for its service. */
const wide = 90
const long = 150

/** Below so many minutes a block shows the surname alone, and icons for the service and the state. */
const roomy = 45

/** How late it is, in whole hours where there are any: for a place with little room. */
const lateShort = (late: number) => duration(late < 60 ? late : late - (late % 60))

type BlockProps = {
  visit: BoardVisit
  hours: MinuteSpan
  late: number
  isFaded: boolean
  isChosen: boolean
} & Pick<LaneProps, 'moving' | 'picture' | 'query'>

/** An appointment of the board: a link to its page, which opens its panel, or is dragged; on a picture neither. */
function BoardBlock(props: BlockProps) {
  const { hours, isChosen, isFaded, late, moving, picture, query, visit } = props
  const { customer, end, id, service, start, state, zone } = visit
  const words = `${minuteTime(start)} a ${minuteTime(end)}`
  const all = [words, serviceFacts[service].label, customer, zoneLabel(zone), stateFacts[state].label]
  const look = picture ? pictureLook(visit, picture) : lookOf(visit, late)
  const shown = {
    title: [...all, late > 0 && lateWords(late), picture?.changed.get(id)].filter(Boolean).join(' · '),
    className: classNames(
      'placed board-block',
      end - start < roomy && 'is-narrow',
      isFaded ? 'edge-dashed border-edge bg-hover text-mute' : look,
      moving && isMovable(visit) && 'is-movable',
      moving?.id === id && 'is-carried',
    ),
    style: lanePositionOf(visit, hours),
  }
  const inside = <BlockWords visit={visit} late={late} words={words} change={picture?.changed.get(id)} />
  if (!moving) return <div {...shown}>{inside}</div>
  return (
    <Link
      {...shown}
      to={pageOf(visit, query)}
      discover="none"
      draggable={false}
      data-block={id}
      aria-current={isChosen || undefined}
      {...moving.handlers(visit)}
    >
      {inside}
    </Link>
  )
}

type WordsProps = { visit: BoardVisit; late: number; words: string; change: string | undefined }

/** What a block says: all of it on a phone and to a screen reader, on a desk what there is room for. */
function BlockWords({ visit, late, words, change }: WordsProps) {
  const { customer, end, folio, service, start, state, surname, zone } = visit
  const isNarrow = end - start < roomy
  const isWide = end - start >= wide
  const isLong = end - start >= long
  const firstName = isWide && customer.slice(0, -surname.length).trim()
  const label = late > 0 ? lateWords(late) : stateFacts[state].label
  return (
    <>
      <span className="desk-said block text-ink">
        {words}
        <span className="sr-only">, {folio}</span>
      </span>
      <span className="desk-said block font-semibold">
        {serviceFacts[service].label} · {customer}
      </span>
      {zone >= 0 && <span className="desk-said block">{zoneLabel(zone)}</span>}
      {change && <span className="desk-said block font-semibold">{change}</span>}
      <span aria-hidden className="hidden lg:grid">
        <span className="board-name font-semibold">
          {surname}
          {isLong && ` · ${serviceFacts[service].label}`}
        </span>
        {!isNarrow && (
          <span className="when-wide truncate text-ink">
            {[firstName, zoneShort(zone)].filter(Boolean).join(' · ')}
          </span>
        )}
      </span>
      <Marks service={service} state={state} late={late} label={label} isNarrow={isNarrow} isWide={isWide} />
    </>
  )
}

type MarksProps = Pick<BoardVisit, 'service' | 'state'> & {
  late: number
  label: string
  isNarrow: boolean
  isWide: boolean
}

/** What an appointment is and how it stands, by icons; the word where there is room, and always when it is late. */
function Marks({ service, state, late, label, isNarrow, isWide }: MarksProps) {
  const Icon = serviceIcons[service]
  return (
    <span className="board-marks flex min-w-0 items-center gap-1">
      <Icon
        aria-hidden
        className={classNames(
          'size-3.5 shrink-0',
          state === 'requested' && late === 0 && serviceLooks[service].ink,
          late > 0 && !isNarrow && !isWide && 'lg:hidden',
        )}
      />
      <SheetIcon
        name={state}
        className={classNames('size-3.5 shrink-0', late > 0 && !isWide && 'lg:hidden')}
      />
      {late > 0 ? (
        <span className="font-semibold whitespace-nowrap text-bad">
          <span className="sr-only">{stateFacts[state].label}, </span>
          <span className="desk-said">{label}</span>
          <span aria-hidden className="max-lg:hidden">
            {lateShort(late)}
            <span className="when-wide"> tarde</span>
          </span>
        </span>
      ) : (
        <span className={classNames('truncate', !isWide && 'desk-said')}>{label}</span>
      )}
    </span>
  )
}

type OfferProps = Pick<LaneProps, 'board' | 'hours' | 'moving' | 'query'> & { offer: BoardOffer }

/** Another time that its customer was asked about, where it would be: it opens its appointment's panel, or its page. */
function OfferBlock({ offer, hours, board, moving, query }: OfferProps) {
  const { appointmentId, customer, service, start, surname, zone } = offer
  const visit = board.visits.find(({ id }) => id === appointmentId)
  const until = moving && `vence ${minuteTime(offer.expiresAt)}`
  const words = [`Propuesta ${minuteTime(start)}`, until].filter(Boolean).join(', ')
  const shown = {
    title: [words, serviceFacts[service].label, customer, zoneLabel(zone)].filter(Boolean).join(' · '),
    className: 'placed board-block hatched-off edge-dashed border-edge text-ink',
    style: lanePositionOf(offer, hours),
  }
  const inside = (
    <>
      <span className="desk-said">
        {customer}: {words}
      </span>
      <span aria-hidden className="hidden lg:grid">
        <span className="board-name font-semibold">{surname}</span>
        <span className="truncate">Propuesta</span>
        {moving && <span className="truncate">vence {minuteHands(offer.expiresAt)}</span>}
      </span>
    </>
  )
  if (!moving) return <div {...shown}>{inside}</div>
  const to = pageOf({ id: appointmentId, state: 'requested' }, query)
  // Dragged it would be another appointment than the one at its own hour.
  const opens = visit && { onClick: moving.opens(visit) }
  return (
    <Link {...shown} to={to} discover="none" draggable={false} {...opens}>
      {inside}
    </Link>
  )
}

/** Where an appointment was that a change takes from its person. */
const Ghost = ({ visit, words, hours }: { visit: BoardVisit; words: string; hours: MinuteSpan }) => (
  <div
    title={`${visit.customer} · ${words}`}
    className="placed board-block edge-dashed border-edge bg-card text-mute"
    style={lanePositionOf(visit, hours)}
  >
    <span className="lg:block lg:truncate">{visit.customer}</span>
    <span className="max-lg:before:content-[':_'] lg:block lg:truncate">{words}</span>
  </div>
)
