import { Plus } from 'lucide-react'
import { money } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type CatalogueItem, type OptionId, optionIds, optionNames } from '../rules/content.ts'
import { editValue, readableLines, type TypedOption } from '../rules/draft.ts'
import { priceChangeWords, pricesApart, retiredIn } from '../rules/prices.ts'
import { linesWith, totalsOf } from '../rules/totals.ts'
import { BuildOption, type OptionsProps, optionAnchor } from './build-option.tsx'
import { BuilderButton } from './builder-field.tsx'
import type { Build } from './use-build.ts'

const columns = ['', '', 'lg:grid-cols-2', 'lg:grid-cols-2 xl:grid-cols-3']

/** The options: side by side on a desk, one below the other on a phone. */
export function BuildOptions(props: OptionsProps) {
  const { benefit, build, isExtra } = props
  const { options } = build.typed
  const missing = isExtra ? [] : optionIds.filter((id) => !options.some((option) => option.id === id))
  return (
    <>
      {options.length > 1 && <Jumps options={options} benefit={benefit} />}
      <div className={classNames('grid grid-cols-1 items-start gap-4', columns[options.length])}>
        {options.map((option, nth) => (
          <BuildOption key={option.id} {...props} nth={nth} option={option} />
        ))}
      </div>
      {missing.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {missing.map((id) => (
            <AddOption key={id} id={id} build={build} />
          ))}
        </div>
      )}
    </>
  )
}

function AddOption({ id, build }: { id: OptionId; build: Build }) {
  const edit = { name: 'addOption', id } as const
  return (
    <BuilderButton value={editValue(edit)} onPress={() => build.change(edit)}>
      <Plus aria-hidden className="size-5" />
      Agregar opción {optionNames[id]}
    </BuilderButton>
  )
}

/** On a phone, where options are far apart: the amount of each, and a link to it. */
type JumpsProps = Pick<OptionsProps, 'benefit'> & { options: readonly TypedOption[] }
const Jumps = ({ benefit, options }: JumpsProps) => (
  <nav aria-label="Opciones" className="grid gap-1 lg:hidden">
    {options.map(({ id, lines }) => (
      <a
        key={id}
        href={`#${optionAnchor(id)}`}
        className="flex min-h-11 items-center justify-between gap-3 rounded-control px-2 font-medium text-brand hover:bg-hover"
      >
        {optionNames[id]}
        <span>{money(totalsOf(linesWith(readableLines(lines), benefit)).total)}</span>
      </a>
    ))}
  </nav>
)

type PricesProps = { build: Build; catalogue: readonly CatalogueItem[] }

/** A draft keeps its prices: what the catalogue asks today, with one press to take it, and what it no longer has. */
export function PricesOfToday({ build, catalogue }: PricesProps) {
  const apart = pricesApart(build.typed.options, catalogue)
  const retired = retiredIn(build.typed.options, catalogue)
  const edit = { name: 'prices' } as const
  return (
    <>
      {retired.length > 0 && (
        <Alert tone="wait" title="Hay partidas que el catálogo ya no tiene en uso">
          Van al precio que tenían. Cámbialas o quítalas: {retired.join(', ')}.
        </Alert>
      )}
      {apart.length > 0 && <Repricing apart={apart} build={build} edit={edit} />}
    </>
  )
}

type RepricingProps = { apart: ReturnType<typeof pricesApart>; build: Build; edit: { name: 'prices' } }

const Repricing = ({ apart, build, edit }: RepricingProps) => (
  <Alert
    tone="wait"
    title={
      apart.length === 1
        ? 'Una partida tiene otro precio en el catálogo'
        : `${apart.length} partidas tienen otro precio en el catálogo`
    }
    actions={
      <BuilderButton value={editValue(edit)} onPress={() => build.change(edit)}>
        Usar los precios de hoy
      </BuilderButton>
    }
  >
    <ul className="grid gap-0.5">
      {apart.map((change) => (
        <li key={`${change.code} ${change.from}`} className="wrap-anywhere">
          {priceChangeWords(change)}
        </li>
      ))}
    </ul>
  </Alert>
)
