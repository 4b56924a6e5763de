import { ChevronRight, Lock, Plus } from 'lucide-react'
import { type CSSProperties, useId } from 'react'
import { FieldNotes } from '../../kit/form/field.tsx'
import { useFieldResult } from '../../kit/form/form.tsx'
import { quantity } from '../../shared/format.ts'
import { metresOf } from '../../shared/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { cardClass } from '../../ui/card.tsx'
import { readAdding } from '../rules/adding.ts'
import {
  type CatalogueItem,
  type DiscountLine,
  optionIds,
  optionNames,
  quoteLimits,
} from '../rules/content.ts'
import { optionField, readableLines } from '../rules/draft.ts'
import type { Addition } from '../rules/draft-edits.ts'
import { rowGroups } from '../rules/grid.ts'
import { linesApart } from '../rules/metres.ts'
import { priceChangeWords, pricesApart, retiredIn } from '../rules/prices.ts'
import { BuildRow } from './build-row.tsx'
import { BuilderButton, BuilderField } from './builder-field.tsx'
import './build-grid.css'
import type { Build, Wrong } from './use-build.ts'

type GridProps = {
  build: Build
  wrong: Wrong
  catalogue: readonly CatalogueItem[]
  /** What its customer's code takes off each option; null where there is none. */
  benefit: DiscountLine | null
  /** Extra work is one option without a name. */
  isExtra: boolean
}
type PartProps = Pick<GridProps, 'build'> & { names: readonly string[] }

/** Sets the columns of a table that stands under or in the grid. */
export const columnsOf = (count: number) => ({ '--options': count }) as CSSProperties

/** The names of the columns. */
export const namesOf = ({ typed }: Build, isExtra: boolean) =>
  typed.options.map(({ id }) => (isExtra ? 'Cantidad' : optionNames[id]))

/** A quote as it is written: a row for each item, a column for each option. */
export function BuildGrid({ benefit, build, catalogue, isExtra, wrong }: GridProps) {
  const names = namesOf(build, isExtra)
  return (
    <table className={`quote-grid ${cardClass}`} style={columnsOf(names.length)}>
      <caption className="sr-only">Partidas de cada opción</caption>
      <Head build={build} names={names} isExtra={isExtra} />
      {!isExtra && <Metres build={build} names={names} />}
      {Object.entries(rowGroups).map(([group, title]) => {
        const rows = build.rows.filter((row) => row.group === group)
        return (
          rows.length > 0 && (
            <tbody key={group}>
              <tr>
                <th scope="rowgroup">{title}</th>
              </tr>
              {rows.map((row) => (
                <BuildRow
                  key={`${row.list} ${row.key}`}
                  build={build}
                  row={row}
                  wrong={wrong}
                  names={names}
                />
              ))}
            </tbody>
          )
        )
      })}
      <tbody>
        {benefit && <BenefitRow line={benefit} />}
        <Adding build={build} names={names} catalogue={catalogue} />
      </tbody>
    </table>
  )
}

/** The options, each with what is wrong with it as a whole. */
function Head({ build, isExtra, names }: PartProps & { isExtra: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">Partida</th>
        <th scope="col" className="price">
          Precio sin IVA
        </th>
        {names.map((name, n) => (
          <th key={name} scope="col">
            {name}
            <ListError name={optionField(n, 'lines')} />
            <ListError name={optionField(n, 'addOns')} />
          </th>
        ))}
        <OptionsFold build={build} names={names} isExtra={isExtra} />
      </tr>
    </thead>
  )
}

/** What each option is for; options are removed and added. */
function OptionsFold({ build, isExtra, names }: PartProps & { isExtra: boolean }) {
  const { options } = build.typed
  const missing = isExtra ? [] : optionIds.filter((id) => !options.some((option) => option.id === id))
  return (
    <td className="fold">
      <details open={options.some(({ summary }) => summary.length > quoteLimits.summary)}>
        <summary aria-label="Más de las opciones">
          <span className="lg:hidden">Opciones</span>
          <ChevronRight aria-hidden className="size-4.5" />
        </summary>
        <div className="grid gap-3 lg:grid-cols-3">
          {options.map(({ id, summary }, n) => (
            <div key={id} className="grid content-start gap-2">
              <input type="hidden" name={optionField(n, 'id')} value={id} />
              <BuilderField
                label={isExtra ? 'Para qué es' : `Para qué es ${names[n]}`}
                name={optionField(n, 'summary')}
                value={summary}
                maxLength={quoteLimits.summary}
                isLong
              />
              {options.length > 1 && (
                <BuilderButton build={build} edit={{ name: 'removeOption', option: n }}>
                  Quitar opción {names[n]}
                </BuilderButton>
              )}
            </div>
          ))}
          {missing.map((id) => (
            <BuilderButton key={id} build={build} edit={{ name: 'addOption', id }} className="self-start">
              <Plus aria-hidden className="size-5" />
              Agregar opción {optionNames[id]}
            </BuilderButton>
          ))}
        </div>
      </details>
    </td>
  )
}

/** What is wrong with a list of an option as a whole. */
function ListError({ name }: { name: string }) {
  const { error, id } = useFieldResult(name)
  return (
    id && (
      <div id={id}>
        <FieldNotes id={id} help={undefined} error={error} />
      </div>
    )
  )
}

/**
 * The metres of route that are included, and what each further one costs. The lines that stand for them follow when
 * the box is left, or by a press where there is no script.
 */
function Metres({ build, names }: PartProps) {
  const { options } = build.typed
  return (
    <tbody>
      <tr>
        <th scope="row">Metros de recorrido</th>
        <td className="price" />
        {names.map((name, option) => (
          <MetresCell key={name} build={build} name={name} option={option} />
        ))}
      </tr>
      <tr>
        <th scope="row">Metro adicional, sin IVA</th>
        <td className="price" />
        {options.map(({ furtherPrice, id }, option) => (
          <td key={id}>
            <BuilderField
              isCell
              label={`Metro adicional, sin IVA, ${names[option]}`}
              name={optionField(option, 'furtherPrice')}
              value={furtherPrice}
              inputMode="decimal"
              data-column={option}
            />
          </td>
        ))}
      </tr>
      <ByHand build={build} names={names} />
    </tbody>
  )
}

function MetresCell({ build, name, option }: { build: Build; name: string; option: number }) {
  const { counted, metres: typed } = build.typed.options[option]!
  const edit = { name: 'metres', option } as const
  const metres = metresOf(typed)
  const isBehind = metres !== null && metres > 0 && metres !== metresOf(counted)
  return (
    <td>
      <input type="hidden" name={optionField(option, 'counted')} value={counted} />
      <BuilderField
        isCell
        label={`Metros de recorrido, ${name}`}
        name={optionField(option, 'metres')}
        value={typed}
        inputMode="decimal"
        data-column={option}
        onBlur={isBehind ? () => build.change(edit) : undefined}
      />
      <div className={isBehind ? '' : 'hidden noscript:block'}>
        <BuilderButton build={build} edit={edit}>
          Recalcular<span className="sr-only"> partidas de {name}</span>
        </BuilderButton>
      </div>
    </td>
  )
}

/** Lines by the metre that do not follow their option's metres. */
function ByHand({ build, names }: PartProps) {
  const apart = build.typed.options.flatMap(({ addOns, counted, lines, metres }, n) => {
    const found = metres === counted ? linesApart(readableLines([...lines, ...addOns]), metresOf(metres)) : []
    const words = found.map((line) => `${line.description} (${quantity(line.quantity)}\u00a0m)`)
    return words.length > 0 ? [`${names[n]}: ${words.join(', ')}`] : []
  })
  return (
    apart.length > 0 && (
      <tr>
        <td className="whole font-medium text-wait">
          No se recalculan, porque se cambiaron a mano. {apart.join('. ')}.
        </td>
      </tr>
    )
  )
}

/** What the code of its customer takes off: it is automatic, and no author of a quote changes it. */
const BenefitRow = ({ line: { description } }: { line: DiscountLine }) => (
  <tr>
    <td className="whole">
      <Lock aria-hidden className="mr-2 inline size-4 text-mute" />
      {description} <span className="text-mute">Lo pone el código del cliente y no se edita.</span>
    </td>
  </tr>
)

/** Adds by typing: to every option that lacks it, or to one. */
function Adding({ build, catalogue, names }: PartProps & { catalogue: readonly CatalogueItem[] }) {
  const list = useId()
  const { asked } = build
  const add = { name: 'add', option: 'all', list: 'lines', text: '' } as const
  return (
    <tr>
      <td className="adding">
        <BuilderField
          isCell
          label="Agrega escribiendo"
          name="adding"
          value={asked?.text ?? ''}
          list={list}
          placeholder="8 awg 39, pastilla 50, descuento 5 %"
          maxLength={quoteLimits.description}
        />
        <datalist id={list}>
          {catalogue.map(({ code, description }) => (
            <option key={code} value={description} />
          ))}
        </datalist>
        <BuilderButton build={build} edit={add}>
          Agregar
        </BuilderButton>
      </td>
      {names.length > 1 &&
        names.map((name, option) => (
          <td key={name}>
            <BuilderButton build={build} edit={{ ...add, option }}>
              Solo aquí<span className="sr-only">: {name}</span>
            </BuilderButton>
          </td>
        ))}
      <td className="whole flex flex-wrap items-center gap-2">
        <BuilderButton build={build} edit={{ ...add, list: 'addOns' }}>
          Como adicional
        </BuilderButton>
        <p role="status">{build.said}</p>
        {asked && <NotAdded build={build} asked={asked} catalogue={catalogue} />}
      </td>
    </tr>
  )
}

type NotAddedProps = Pick<GridProps, 'build' | 'catalogue'> & { asked: Addition }

/** Why what was typed was not added, and what it may be. */
function NotAdded({ asked, build, catalogue }: NotAddedProps) {
  const { candidates, note } = readAdding(asked.text, catalogue, asked.code)
  return (
    <>
      <p className="font-medium text-wait">{note || 'Ya está: cambia su cantidad.'}</p>
      {candidates.map(({ code, description }) => (
        <BuilderButton key={code} build={build} edit={{ ...asked, name: 'add', code }}>
          {description}
        </BuilderButton>
      ))}
    </>
  )
}

type PricesProps = { build: Build; catalogue: readonly CatalogueItem[] }

/** A draft keeps its prices: what the catalogue asks today, with one press to take it, and what it no longer has. */
export function PricesOfToday({ build, catalogue }: PricesProps) {
  const apart = pricesApart(build.typed.options, catalogue)
  const retired = retiredIn(build.typed.options, catalogue)
  return (
    <>
      {retired.length > 0 && (
        <Alert tone="wait" title="Hay partidas que el catálogo ya no tiene en uso">
          Van al precio que tenían. Cámbialas o quítalas: {retired.join(', ')}.
        </Alert>
      )}
      {apart.length > 0 && <Repricing apart={apart} build={build} />}
    </>
  )
}

type RepricingProps = { apart: ReturnType<typeof pricesApart>; build: Build }

const Repricing = ({ apart, build }: RepricingProps) => (
  <Alert
    tone="wait"
    title={
      apart.length === 1
        ? 'Una partida tiene otro precio en el catálogo'
        : `${apart.length} partidas tienen otro precio en el catálogo`
    }
    actions={
      <BuilderButton build={build} edit={{ name: 'prices' }}>
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
