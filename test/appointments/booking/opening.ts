import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach } from 'vitest'
import { startJobs, stopJobs } from '../../../src/server/platform/jobs/jobs.ts'
import { openWorld, type World } from '../../kit/world.ts'
import { assign, customerWithVisit, type People, type Visit, visitOf } from '../story.ts'

export let world: World
export let people: People
/** Whoever booked `visit`. */
export let customer: People['customer']
export let visit: Visit

/** Gives each test a world and people of its own, prepared by the steps that follow. */
export function openEach(...steps: (() => Promise<unknown>)[]) {
  beforeEach(async () => {
    world = await openWorld()
    people = await world.people()
    for (const step of steps) await step()
  })
  afterEach(() => world.close())
}

/** A step: a visit booked through the screen. */
export async function bookVisit() {
  ;({ customer, visit } = await customerWithVisit(world))
}

/** A step: the manager gives the visit to the technician. */
export async function assignVisit() {
  await assign(world, people.manager, visit, people.technician)
  await readAgain()
}

/** Takes the visit as it is stored now. */
export async function readAgain() {
  visit = await visitOf(world, customer)
}

/** Sends jobs from the source: the application runs from its build, what a test calls directly does not. Follows `openEach`. */
export function sendJobs() {
  beforeEach(() => startJobs(world.db))
  afterEach(async () => {
    await stopJobs()
    // Changes gather for a moment before they are announced.
    await wait(50)
  })
}
