//! Runs networks forwards and backwards on the kernels of `meeple-network`, on the CPU: for
//! small networks it is faster than general libraries.
//!
//! The batch is split between threads, each of which walks all nodes; norms and the end of a pass
//! are where they meet. Results are the same for the same number of threads.

mod elements;
mod exchange;
mod plan;
mod sparse;
mod worker;

use std::sync::RwLock;
use std::thread;

use meeple_network::kernels::Instructions;
use meeple_network::{Graph, Outputs, Parameters};

use crate::{Backend, Batch, Gradients, Noise};
use exchange::Exchange;
use plan::Plan;
use worker::{Direction, Pack, Step, Worker, part};

#[derive(Debug)]
pub struct OwnBackend {
    plan: Plan,
    packs: Vec<Pack>,
    workers: Vec<Worker>,
}

impl OwnBackend {
    pub fn new(graph: &Graph, threads: usize) -> OwnBackend {
        let plan = Plan::new(graph, Instructions::detect());
        let threads = threads.max(1);
        let workers = (0..threads).map(|number| Worker::new(number, &plan)).collect();
        OwnBackend { packs: packs(&plan, threads), workers, plan }
    }

    /// Runs forwards; what is needed to run backwards is in the workers then. A batch with fewer
    /// samples than threads is for as many of them.
    fn forwards(&mut self, parameters: &Parameters, batch: &Batch, noise: Option<&Noise>) -> (Outputs, Exchange) {
        let OwnBackend { plan, packs, workers } = self;
        let count = workers.len().min(batch.count);
        let exchange = Exchange::new(count, 2 * plan.count_norms());
        let step = Step { plan, parameters, batch, noise, packs, exchange: &exchange };
        let workers = &mut workers[..count];
        for (number, worker) in workers.iter_mut().enumerate() {
            worker.take(part(batch.count, count, number), plan);
        }
        each(workers, &exchange, |worker| {
            worker.pack(step);
            worker.forwards(step);
        });
        let mut outputs = Outputs::default();
        workers.iter().for_each(|worker| worker.read(step, &mut outputs));
        (outputs, exchange)
    }
}

impl Backend for OwnBackend {
    fn outputs(&mut self, parameters: &Parameters, batch: &Batch) -> Outputs {
        self.forwards(parameters, batch, None).0
    }

    fn gradients(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        noise: &Noise,
        slopes: &mut dyn FnMut(&Outputs) -> Outputs,
        gradients: &mut Gradients,
    ) {
        let (outputs, exchange) = self.forwards(parameters, batch, Some(noise));
        let slopes = slopes(&outputs);
        let OwnBackend { plan, packs, workers } = self;
        let step = Step { plan, parameters, batch, noise: Some(noise), packs, exchange: &exchange };
        let workers = &mut workers[..exchange.workers()];
        each(workers, &exchange, |worker| worker.backwards(step, &slopes));
        gather(plan, workers, gradients);
    }
}

/// Has every worker do something at the same time, the first of them on this thread.
fn each(workers: &mut [Worker], exchange: &Exchange, work: impl Fn(&mut Worker) + Sync) {
    let (first, others) = workers.split_first_mut().expect("at least one worker");
    let attend = |worker: &mut Worker| {
        let _attendance = exchange.attend();
        work(worker);
    };
    thread::scope(|scope| {
        let attend = &attend;
        others.iter_mut().for_each(|worker| {
            scope.spawn(move || attend(worker));
        });
        attend(first);
    });
}

/// For each layer the weights for both ways, filled by the worker that has least to fill so far.
fn packs(plan: &Plan, workers: usize) -> Vec<Pack> {
    let mut load = vec![0; workers];
    let mut packs = Vec::new();
    for (node, layer) in plan.layers.iter().enumerate() {
        let Some(layer) = layer else { continue };
        for direction in [Direction::Forwards, Direction::Backwards] {
            if direction == Direction::Backwards && !plan.is_learnt[plan.graph.nodes[node].inputs[0]] {
                continue;
            }
            let weights = match direction {
                Direction::Forwards => layer.forwards(plan.instructions),
                Direction::Backwards => layer.backwards(plan.instructions),
            };
            let worker = (0..workers).min_by_key(|&worker| load[worker]).expect("at least one");
            load[worker] += plan.graph.parameters[layer.weight].count();
            packs.push(Pack { node, direction, worker, weights: RwLock::new(weights) });
        }
    }
    packs
}

/// The sums of what the workers found, without room.
fn gather(plan: &Plan, workers: &[Worker], gradients: &mut Gradients) {
    for (number, gradient) in gradients.0.iter_mut().enumerate() {
        // Of norms, which the first worker has for all.
        let count = gradient.len();
        gradient.copy_from_slice(&workers[0].gradients[number][..count]);
    }
    for layer in plan.layers.iter().flatten() {
        let of_weights = &mut gradients.0[layer.weight];
        of_weights.fill(0.0);
        for worker in workers {
            layer.unpack(&worker.gradients[layer.weight], |place, slopes| {
                let sums = &mut of_weights[place..place + slopes.len()];
                sums.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
            });
        }
        let Some(bias) = layer.bias else { continue };
        gradients.0[bias].fill(0.0);
        for worker in workers {
            let sums = gradients.0[bias].iter_mut().zip(&worker.gradients[bias][..]);
            sums.for_each(|(sum, slope)| *sum += slope);
        }
    }
}
