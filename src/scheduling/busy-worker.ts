/**
 * A separate thread: a large calendar takes a second, and one made to take for ever is ended with it. Node runs this file
 * directly, also under the built application, so it imports only rules and its neighbours.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { type BusyQuestion, busyTimesIn } from './busy-times.ts'

parentPort?.postMessage(busyTimesIn(workerData as BusyQuestion))
