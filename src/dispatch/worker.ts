/**
 * A separate thread: HiGHS blocks the thread that calls it. Node runs this file directly, also under the built
 * application, so it imports only rules and files beside it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import loadHighs from 'highs'
import type { PlanTask, Report } from './plans.ts'
import { dayOutcomeOf, dayProblemOf } from './rules/day-plan.ts'
import { search } from './search.ts'

const { question, seconds } = workerData as PlanTask
const tell = (report: Report) => parentPort?.postMessage(report)
const began = performance.now()

const problem = dayProblemOf(question)
const inside = new Set(problem.visits.map(({ id }) => id))
const stuck = question.rows.filter(({ id, open }) => open && !inside.has(id)).map(({ id }) => id)
const { plan, bound } = search(await loadHighs(), problem, seconds, ({ phase, cost, bound, plan }) => {
  const progress = {
    phase,
    cost,
    seconds: (performance.now() - began) / 1000,
    bound: Number.isFinite(bound) ? bound : null,
  }
  tell({ progress, stuck, outcome: plan ? dayOutcomeOf(problem, plan, bound) : null, ended: false })
})
tell({ progress: null, stuck, outcome: dayOutcomeOf(problem, plan, bound), ended: true })
