import { LoaderCircle, Search } from 'lucide-react'
import * as Dialog from 'radix-ui/dialog'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { tidy } from '../../../shared/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import type { SearchAnswer } from '../search-hits.ts'
import { type Hit, type HitGroup, HitLine, hitKinds } from '../search-line.tsx'
import { searchPath } from '../search-path.ts'
import { keepRecent, recentsOf } from './recents.ts'

type SearchWindowProps = {
  /** A hash of the user, under which this device keeps what they opened. */
  owner: string
  open: boolean
  onClose: () => void
  /** What gets the focus once it is closed; null where something else has it. */
  focusAfter: () => Element | null
}

/** The search in front of the page: what is typed is looked for at once, and a key or a press opens what was found. */
export default function SearchWindow({ owner, open, onClose, focusAfter }: SearchWindowProps): ReactNode {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const place = focusAfter()
            if (place instanceof HTMLElement) place.focus()
          }}
          className="fixed inset-0 z-40 flex flex-col overflow-hidden bg-card shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-rise sm:inset-x-4 sm:top-[12dvh] sm:bottom-auto sm:mx-auto sm:max-h-[72dvh] sm:max-w-2xl sm:rounded-card"
        >
          <Dialog.Title className="sr-only">Búsqueda</Dialog.Title>
          <Palette owner={owner} onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const shownOfEach = 5
const shownAtFirst = 8

/** `name` goes into ids, which hold no spaces. */
type ShownGroup = { name: string; label: string; hits: Hit[] }

/** Recent ones first, then what can be done; with words, what was found. */
function groupsFor(answer: SearchAnswer | null, recent: readonly Hit[]): ShownGroup[] {
  const most = answer?.q ? shownOfEach : shownAtFirst
  const cut = ({ hits, kind }: HitGroup) => ({
    name: kind,
    label: hitKinds[kind].label,
    hits: hits.slice(0, most),
  })
  const found = (answer?.groups ?? []).map(cut)
  return answer?.q || recent.length === 0
    ? found
    : [{ name: 'recent', label: 'Recientes', hits: [...recent] }, ...found]
}

function Palette({ owner, onClose }: Pick<SearchWindowProps, 'owner' | 'onClose'>) {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [recent] = useState(() => recentsOf(owner))
  const { answer, failed, waiting } = useSearched(text)
  const groups = groupsFor(answer, recent)
  // Each result is a line, and a customer's line has a second option.
  const choice = useChoice(
    groups.flatMap(({ hits, name }) => hits.map((hit) => optionsOf(hit, `${id}-${name}`))),
  )
  const { active, choose, line, lines } = choice
  const opensFirst = useRef(false)
  useEffect(() => {
    if (waiting || !opensFirst.current) return
    opensFirst.current = false
    document.getElementById(active ?? '')?.click()
  }, [waiting, active])
  const enter = () => {
    // What is shown may still be of other words: it opens once the answer is here.
    if (waiting) opensFirst.current = true
    else if (active) document.getElementById(active)?.click()
    else void navigate(`${searchPath}?${new URLSearchParams({ q: text })}`)
  }
  const typed = (next: string) => {
    opensFirst.current = false
    setText(next)
    choose(null)
  }
  const opened = (hit: Hit) => {
    keepRecent(owner, hit)
    onClose()
  }
  return (
    <>
      <Box id={id} text={text} typed={typed} enter={enter} waiting={waiting} choice={choice} />
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2">
        {lines.length > 0 && (
          <div id={id} role="listbox" aria-label="Resultados">
            {groups.map(({ hits, label, name }) => (
              <Group
                key={name}
                id={`${id}-${name}`}
                label={label}
                hits={hits}
                active={active}
                choose={choose}
                opened={opened}
              />
            ))}
          </div>
        )}
        <Outcome answer={answer} failed={failed} count={lines.length} />
      </div>
      <p
        aria-hidden
        className="flex gap-4 border-t border-line px-4 py-2 text-[0.8125rem] text-mute max-sm:hidden"
      >
        <span>↑ ↓ moverse</span>
        <span>↵ abrir</span>
        {line?.[1] && <span>→ agendar</span>}
      </p>
    </>
  )
}

type Choice = ReturnType<typeof useChoice>

/** The option that Enter opens: the first, until another is chosen by key or pointer. */
function useChoice(lines: readonly (readonly string[])[]) {
  const [chosen, choose] = useState<string | null>(null)
  const at = Math.max(
    0,
    lines.findIndex((options) => options.includes(chosen ?? '')),
  )
  const line = lines[at]
  const active = line?.find((option) => option === chosen) ?? line?.[0]
  useEffect(() => {
    if (chosen) document.getElementById(chosen)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const step = (by: number) => choose(lines[(at + by + lines.length) % lines.length]?.[0] ?? null)
  return { lines, line, active, choose, step }
}

/** What a key does to the choice; false where it is the box's own. `isAtEnd`: nothing typed is right of the caret. */
function moves(key: string, { active, choose, line, step }: Choice, isAtEnd: boolean): boolean {
  const [first = null, second = null] = line ?? []
  const isSecond = second !== null && active === second
  if (key === 'ArrowDown') step(1)
  else if (key === 'ArrowUp') step(-1)
  else if (key === 'ArrowRight' && isAtEnd && second && !isSecond) choose(second)
  else if (key === 'ArrowLeft' && isSecond) choose(first)
  else return false
  return true
}

type BoxProps = {
  /** The id of the list of results. */
  id: string
  text: string
  typed: (text: string) => void
  enter: () => void
  waiting: boolean
  choice: Choice
}

function Box({ id, text, typed, enter, waiting, choice }: BoxProps) {
  const Icon = waiting ? LoaderCircle : Search
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing
    if (isEnter) enter()
    else if (!moves(event.key, choice, event.currentTarget.selectionStart === text.length)) return
    event.preventDefault()
  }
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Icon aria-hidden className={classNames('size-5 shrink-0 text-mute', waiting && 'animate-spin')} />
      <input
        role="combobox"
        aria-label="Busca en todo"
        aria-expanded={choice.lines.length > 0}
        aria-controls={choice.lines.length > 0 ? id : undefined}
        aria-activedescendant={choice.active}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={100}
        placeholder="Nombre, teléfono, folio, domicilio o acción"
        value={text}
        onChange={(event) => typed(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-h-14 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-mute"
      />
      <Dialog.Close className="-mr-2 min-h-11 rounded-control px-2 text-sm text-mute hover:text-ink">
        <span className="sm:hidden">Cerrar</span>
        <kbd className="rounded-md border border-line px-1.5 font-sans text-xs/5 max-sm:hidden">
          Esc<span className="sr-only">: cerrar</span>
        </kbd>
      </Dialog.Close>
    </div>
  )
}

/** The ids of the options of a line: to open it, and to book for a customer. */
const optionsOf = ({ book, id }: Hit, group: string) => [
  `${group}-${id}`,
  ...(book ? [`${group}-${id}-agendar`] : []),
]

type GroupProps = {
  id: string
  label: string
  hits: readonly Hit[]
  active: string | undefined
  choose: (option: string) => void
  opened: (hit: Hit) => void
}

function Group({ id, label, hits, active, choose, opened }: GroupProps) {
  const option = (own: string) => ({
    id: own,
    role: 'option',
    tabIndex: -1,
    'aria-selected': own === active,
    onPointerMove: () => choose(own),
  })
  const look = (own: string) => (own === active ? 'bg-brand-soft' : null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options.
    <div role="group" aria-labelledby={id} className="pb-2">
      <div id={id} className="px-3 pt-2 pb-1 text-[0.8125rem] font-semibold text-mute">
        {label}
      </div>
      {hits.map((hit) => {
        const [main, second] = optionsOf(hit, id) as [string, string?]
        return (
          <div
            key={hit.id}
            role="none"
            className={classNames('flex items-center rounded-control', look(main))}
          >
            <Link
              {...option(main)}
              to={hit.to}
              onClick={() => opened(hit)}
              className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-control px-3 py-2"
            >
              <HitLine hit={hit} />
            </Link>
            {second && hit.book && (
              <Link
                {...option(second)}
                to={hit.book}
                aria-label={`Agendar para ${hit.title}`}
                onClick={() => opened(hit)}
                className={classNames(
                  'mr-2 flex min-h-9 items-center rounded-control border border-line bg-card px-3 text-sm font-semibold hover:bg-hover',
                  second === active && 'outline-2 outline-brand',
                )}
              >
                Agendar
              </Link>
            )}
          </div>
        )
      })}
    </div>
  )
}

type OutcomeProps = { answer: SearchAnswer | null; failed: boolean; count: number }

/** Said to screen readers with every answer; shown where nothing was found, or the server could not be asked. */
function Outcome({ answer, failed, count }: OutcomeProps) {
  const isNone = answer !== null && answer.q !== '' && count === 0
  const none = 'Prueba con un folio, un teléfono, parte del nombre o la calle.'
  const words = failed
    ? 'No pudimos buscar. Revisa tu conexión y vuelve a intentar.'
    : isNone
      ? `No encontramos nada con «${answer.q}». ${none}`
      : answer?.q
        ? `${count} ${count === 1 ? 'resultado' : 'resultados'}`
        : ''
  return (
    <p role="status" className={failed || isNone ? 'px-3 py-8 text-center text-mute' : 'sr-only'}>
      {words}
    </p>
  )
}

const pauseMs = 120

/** What the server finds for a text, asked once the typing pauses; the last answer stays until the next is here. */
function useSearched(text: string) {
  const q = tidy(text)
  const [state, setState] = useState<{ of: string | null; answer: SearchAnswer | null; failed: boolean }>({
    of: null,
    answer: null,
    failed: false,
  })
  useEffect(() => {
    const stop = new AbortController()
    const ask = async () => {
      try {
        const answer = await fetch(`${searchPath}.json?${new URLSearchParams({ q })}`, {
          signal: stop.signal,
        })
        if (!answer.ok) throw new Error(`the search answered ${answer.status}`)
        setState({ of: q, answer: (await answer.json()) as SearchAnswer, failed: false })
      } catch {
        // Shown in its place.
        if (!stop.signal.aborted) setState({ of: q, answer: null, failed: true })
      }
    }
    const timer = setTimeout(ask, q ? pauseMs : 0)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [q])
  return { ...state, waiting: state.of !== q }
}
