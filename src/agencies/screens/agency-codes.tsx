import { redirectWithToast } from '../../kit/flash.ts'
import { Field } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { FilterBar } from '../../kit/list/filter-bar.tsx'
import { readList } from '../../kit/list/filters.ts'
import { isNarrowedBy, type ListColumn, ListPages, ListTable } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { thousands } from '../../shared/format.ts'
import { Card, EmptyState } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { codesToApprove, type ListedCode, listCodes, moveCode } from '../codes.ts'
import { codeAnswerInput } from '../rules/referral-schema.ts'
import type { Route } from './+types/agency-codes.ts'
import { agencyPath } from './agency-paths.ts'
import { codeMoveForms, openEditor, openTab } from './agency-server.ts'
import { CodeCounts, CodeMoves, codeColumns, codeList, Owner, validity } from './code-table.tsx'

export const shouldRevalidate = revalidateOnConflict

/** The codes of the agency's allies, and for users who edit agencies those that wait for approval. */
export const loader = (args: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, agency, lists, now, url } = await openTab(args, 'codigos')
    const { asked, page } = readList(codeList, url, now)
    const [codes, waiting] = await Promise.all([
      listCodes(lists, actor, agency.id, asked, now),
      agency.terms ? codesToApprove(lists, actor, agency.id, now) : [],
    ])
    return { ...page(codes), waiting, agencyId: agency.id, canDecide: agency.terms !== null }
  })

export const action = forms(async (args: Route.ActionArgs) => {
  const { actor, db, id, now } = await openEditor(args)
  const here = agencyPath(id, 'codigos')
  const said = 'Se lo decimos por correo a quien lo pidió.'
  return {
    ...codeMoveForms(db, actor, here, now),
    'codes.approve': form(codeAnswerInput['codes.approve'], async ({ codeId, version }) => {
      const { code } = await moveCode(db, actor, codeId, 'approve', { version }, now)
      return redirectWithToast(here, `Aprobaste el código ${code}`, `Ya sirve. ${said}`)
    }),
    'codes.refuse': form(codeAnswerInput['codes.refuse'], async ({ codeId, reason, version }) => {
      const { code } = await moveCode(db, actor, codeId, 'refuse', { version, reason }, now)
      return redirectWithToast(here, `No aprobaste el código ${code}`, said, 'default')
    }),
  }
})

/** The codes of an agency: those that wait for approval first, then all of them. */
export default function AgencyCodes({ loaderData }: Route.ComponentProps) {
  const { agencyId, filters, pages, rows, total, waiting } = loaderData
  const narrowed = isNarrowedBy(filters)
  return (
    <>
      <OrphanedFormError />
      <div className="grid gap-4">
        {waiting.length > 0 && <CodesToApprove codes={waiting} />}
        {(total > 0 || narrowed) && (
          <FilterBar list={{ ...codeList, path: agencyPath(agencyId, 'codigos') }} filters={filters} />
        )}
        {rows.length === 0 ? (
          <EmptyState>
            {narrowed ? codeList.narrowed : 'Sus aliados todavía no crean ningún código.'}
          </EmptyState>
        ) : (
          <Card title={total === 1 ? '1 código' : `${thousands(total)} códigos`}>
            <CodeCounts />
            <ListTable list={codeList} loaded={loaderData} columns={columns} dense={false} />
          </Card>
        )}
        <ListPages pages={pages} rows={rows} count={{ total, isMore: false }} />
      </div>
    </>
  )
}

const columns: readonly ListColumn<ListedCode, { canDecide: boolean }>[] = [
  ...codeColumns,
  { header: 'Clientes', numeric: true, cell: ({ clients }) => thousands(clients) },
  { header: 'Aliado', cell: ({ owner }) => <Owner name={owner} /> },
  {
    header: 'Acciones',
    when: ({ canDecide }) => canDecide,
    cell: (code) => code.moves.length > 0 && <CodeMoves code={code} />,
  },
]

/** Codes that give more than their agency may without approval, each with approve and reject. */
const CodesToApprove = ({ codes }: { codes: readonly ListedCode[] }) => (
  <Card title="Por aprobar">
    <p className="text-[0.9375rem] text-mute">
      Dan más que el límite de la concesionaria. No sirven hasta que los apruebes.
    </p>
    <ul className="grid gap-4">
      {codes.map((code) => (
        <li
          key={code.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4"
        >
          <div className="min-w-0">
            <p>
              <span className="font-mono font-semibold tracking-wide">{code.text}</span>, {code.benefit}
            </p>
            <p className="text-[0.9375rem] text-mute">
              Lo pide {code.owner}. {validity(code)}, para {thousands(code.maxUses)}{' '}
              {code.maxUses === 1 ? 'persona' : 'personas'}.
            </p>
          </div>
          <Answers code={code} />
        </li>
      ))}
    </ul>
  </Card>
)

function Answers({ code }: { code: ListedCode }) {
  const target = { codeId: code.id }
  const isRefusing = useFormResult('codes.refuse', target) !== undefined
  const about = <input type="hidden" name="version" value={code.version} />
  return (
    <div className="flex flex-wrap gap-3">
      <Form intent="codes.approve" target={target}>
        {about}
        <Submit>
          Aprobar<span className="sr-only"> {code.text}</span>
        </Submit>
      </Form>
      <Dialog
        key={code.version}
        trigger={
          <>
            No aprobar<span className="sr-only"> {code.text}</span>
          </>
        }
        variant="ghost"
        title={`¿No aprobar ${code.text}?`}
        description="Queda revocado, y quien lo pidió lee por qué."
        defaultOpen={isRefusing}
      >
        <Form intent="codes.refuse" target={target}>
          {about}
          <Field label="Por qué" name="reason" maxLength={200} autoComplete="off" />
          <NoWayBack to="a quien lo pidió" />
          <Submit variant="destructive">No aprobar</Submit>
        </Form>
      </Dialog>
    </div>
  )
}
