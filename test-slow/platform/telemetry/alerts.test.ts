import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { freePort, openServers, type Servers } from '../../../test/kit/two-servers.ts'
import { alerts, holds, namesIn, samplesIn } from '../../../test/platform/telemetry/alerts.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const rules = path.join(root, 'deploy/prometheus/alerts.yml')
/** `npm test` names the folder of one, and fetches it where Debian's packages are; without it two tests are skipped. */
const programs = [process.env.PROMETHEUS_BIN, '/usr/bin'].find((dir) => dir && existsSync(`${dir}/promtool`))

let open: Servers
let port: number
const folder = mkdtempSync(path.join(tmpdir(), 'carga-alerts-'))
beforeAll(async () => {
  port = await freePort()
  // A process that takes no jobs: what is in the queues stays there.
  open = await openServers(1, { METRICS_PORT: String(port), DATA_DIR: folder })
  await open.db.$client.query(`insert into rounds (name, minutes) values ('remind', 1)`)
})
afterAll(async () => {
  await open.close()
  rmSync(folder, { recursive: true, force: true })
})

const said = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
/** Two that ask at about the same time are told the same. */
const aMomentLater = () => new Promise((resolve) => setTimeout(resolve, 2_100))

async function inTrouble() {
  const customer = await open.person()
  const { address, projectId } = await open.home(customer)
  await open.db.insert(appointments).values({
    folio: 'VT-SIN-NADIE',
    service: 'technical_visit',
    state: 'requested',
    minutes: 60,
    customerId: customer.id,
    projectId,
    address,
    municipality: address.municipality,
    startsAt: new Date(Date.now() + 5 * 3_600_000),
    requestKey: randomUUID(),
    requestDigest: 'none',
  })
  await open.db.$client.query(`update rounds set done_at = now() - interval '4 minutes'`)
  await open.db.$client.query(
    `insert into pgboss.job (name, data, start_after, created_on) values
       ('dead-letters', '{}', now(), now()), ('letter', '{}', now() - interval '1 hour', now() - interval '1 hour')`,
  )
}
const simple = ['JobsDelayed', 'JobsGivenUp', 'EmailsNotSent', 'AppointmentsUnconfirmed']

test('the alerts are twelve; each has its page', () => {
  expect(alerts).toHaveLength(12)
  const pages = readFileSync(path.join(root, 'docs/operations.md'), 'utf8')
  for (const { name, runbook } of alerts) {
    expect(runbook).toBe(`docs/operations.md#${name.toLowerCase()}`)
    expect(pages).toContain(`\n### ${name}\n`)
  }
})

test('the alerts ask for nothing that a process does not say', async () => {
  await open.servers[0]!.visit('/signin')
  const names = new Set(samplesIn(await said()).map(({ name }) => name))
  for (const { expr } of alerts) for (const name of namesIn(expr)) expect(names).toContain(name)
  expect(alerts.flatMap(({ expr }) => namesIn(expr)).length).toBeGreaterThan(9)
})

test('the alerts are quiet over a process that is well, and heard over one in trouble', async () => {
  const before = samplesIn(await said())
  expect(simple.filter((name) => holds(name, before))).toEqual([])
  await inTrouble()
  await aMomentLater()
  const after = samplesIn(await said())
  expect(simple.filter((name) => holds(name, after))).toEqual(simple)
})

test.skipIf(!programs)('the alerts are rules that Prometheus takes', () => {
  const checked = spawnSync(`${programs}/promtool`, ['check', 'rules', rules], { encoding: 'utf8' })
  expect(checked.stdout).toContain('SUCCESS: 12 rules found')
})

test.skipIf(!programs)('the alerts reach whoever watches: a real Prometheus fires one', async () => {
  const asked = await watchedByPrometheus(String(port))
  try {
    await expect
      .poll(asked.firing, { timeout: 15_000, interval: 250 })
      .toEqual(expect.arrayContaining(['JobsGivenUp', 'RoundsMissing']))
  } finally {
    asked.stop()
  }
})

/** The files of deploy/ as they are, but for the address, and for the patience, which is of seconds. */
async function watchedByPrometheus(target: string) {
  const at = await freePort()
  const quick = (text: string) => text.replace(/(scrape_|evaluation_)(interval|timeout): \w+/g, '$1$2: 1s')
  const config = readFileSync(path.join(root, 'deploy/prometheus/prometheus.yml'), 'utf8')
  writeFileSync(
    path.join(folder, 'prometheus.yml'),
    quick(config).replace('127.0.0.1:9464', `127.0.0.1:${target}`),
  )
  writeFileSync(path.join(folder, 'alerts.yml'), readFileSync(rules, 'utf8').replace(/for: \w+/g, 'for: 1s'))
  const child = spawn(
    `${programs}/prometheus`,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/tsdb`,
      `--web.listen-address=127.0.0.1:${at}`,
    ],
    { stdio: 'ignore' },
  )
  type Told = { data: { alerts: { state: string; labels: { alertname: string } }[] } }
  return {
    firing: async () => {
      const answer = await fetch(`http://127.0.0.1:${at}/api/v1/alerts`).catch(() => null)
      const told = answer?.ok ? ((await answer.json()) as Told).data.alerts : []
      return told.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    },
    stop: () => child.kill('SIGKILL'),
  }
}
