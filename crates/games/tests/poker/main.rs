mod kuhn;
mod leduc;
mod solving;
