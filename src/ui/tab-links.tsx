import { thousands } from '../shared/format.ts'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'

type Tab = { name: string; label: string; to: string; count?: number | undefined }
type TabLinksProps = { label: string; tabs: readonly Tab[]; current: string }

/** The parts of a page as links, so that they work without JavaScript; on a phone many of them are a line that scrolls. */
export function TabLinks({ label, tabs, current }: TabLinksProps) {
  return (
    <nav aria-label={label} className="border-line lg:border-b">
      <ul
        ref={bringIn}
        className={classNames(
          'gap-2 lg:gap-x-6 lg:gap-y-0',
          tabs.length > 6 ? inLine : 'grid sm:flex sm:flex-wrap',
          tabs.length === 4 ? 'grid-cols-2' : 'grid-cols-3',
        )}
      >
        {tabs.map(({ count, name, label: words, to }) => (
          <li key={name} className="grid">
            <Link
              to={to}
              prefetch="intent"
              preventScrollReset
              state={keepsFocus}
              aria-current={name === current ? 'page' : undefined}
              className={classNames(tab, name === current ? chosen : other)}
            >
              {words}
              {count !== undefined && (
                <span className="ml-1.5 font-normal tabular-nums">{thousands(count)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The chosen one of a line that scrolls. */
function bringIn(line: HTMLUListElement | null) {
  const chosen = line?.querySelector<HTMLElement>('[aria-current]')
  if (line && chosen) line.scrollLeft = chosen.offsetLeft - 48
}

const inLine =
  'relative -m-1 flex p-1 max-lg:overflow-x-auto max-lg:pb-2 max-lg:*:shrink-0 lg:m-0 lg:flex-wrap lg:p-0 [scrollbar-width:thin]'

/** A tab with another address than its page keeps the focus on its link. */
const keepsFocus = { keepsFocus: true }
const tab =
  'flex min-h-11 items-center justify-center rounded-control border px-2 text-[0.9375rem] font-medium no-underline lg:-mb-px lg:rounded-none lg:border-0 lg:border-b-2 lg:px-0.5'
const chosen = 'border-brand bg-brand-soft text-brand lg:bg-transparent'
const other =
  'border-line bg-card text-mute hover:bg-hover hover:text-ink lg:border-transparent lg:bg-transparent lg:hover:border-edge lg:hover:bg-transparent'

type PeriodLinksProps = {
  /** The time that is shown, in words. */
  words: string
  /** Null is the default time. */
  current: string | null
  choices: readonly { value: string | null; label: string; to: string }[]
}

/** The period of the figures of a page, and links to others. */
export const PeriodLinks = ({ words, current, choices }: PeriodLinksProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
    <p className="text-[0.9375rem] text-mute">{words}</p>
    <nav aria-label="Periodo" className="flex flex-wrap gap-2">
      {choices.map(({ value, label, to }) => (
        <Link
          key={label}
          to={to}
          prefetch="intent"
          preventScrollReset
          aria-current={value === current ? 'true' : undefined}
          className={classNames(
            'flex min-h-11 items-center rounded-full border px-4 text-[0.9375rem] font-medium no-underline lg:min-h-9',
            value === current
              ? 'border-brand bg-brand-soft text-brand'
              : 'border-line bg-card text-mute hover:bg-hover hover:text-ink',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  </div>
)
